/** A small collection in which word and meaning part: nothing about feet says "shoes for a wedding". */
export const catalogue = [
  {
    id: 'oxford',
    name: 'Oxford lace-ups',
    description: 'Black leather footwear for formal evenings',
    category: 'Clothing',
    price: 140,
  },
  {
    id: 'kettle',
    name: 'Gooseneck kettle',
    description: 'Pours hot water slowly for coffee and tea',
    category: 'Kitchen',
    price: 60,
  },
  {
    id: 'tent',
    name: 'Two-person tent',
    description: 'Sleeps two in the mountains and keeps the rain out',
    category: 'Outdoor',
    price: 220,
  },
  {
    id: 'lamp',
    name: 'Bedside lamp',
    description: 'Warm dim light for reading before sleep',
    category: 'Home',
    price: 45,
  },
  {
    id: 'stove',
    name: 'Camping stove',
    description: 'Boils a pot on gas, folds to the size of a fist',
    category: 'Outdoor',
    price: 35,
  },
];

export const catalogueFile = {
  name: 'catalogue.ndjson',
  mimeType: 'application/x-ndjson',
  buffer: Buffer.from(
    [...catalogue.map((product) => JSON.stringify(product)), '{"id":"broken", "name": '].join('\n'),
  ),
};
