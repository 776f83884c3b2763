/** What the API's description adds to a collection, whatever it holds. */
export const exampleDocument = {
  id: 'example',
  name: 'Trail running shoes',
  description: 'Light, with a sole that grips on wet paths',
  price: 129.9,
  categories: ['Shoes', 'Running'],
  in_stock: true,
};

export const exampleRows = [
  exampleDocument,
  { ...exampleDocument, id: 'example-2', name: 'Road running shoes' },
];
