import type { RandomNumbers } from '#server/random-numbers.ts';

/** Names, descriptions and data of products that nobody sells, from templates and words of our own. */

const kinds =
  'air purifier,alarm clock,backpack,bath towel,bed frame,belt,bench,bicycle,blanket,blender,board game,bookshelf,bowl,bracelet,broom,camera,candle,car charger,carpet,charger,coat,coffee maker,computer mouse,cooker,curtain,cushion,cutting board,desk,desk lamp,dishwasher,doorbell,dress,drill,drone,dryer,earrings,external drive,fan,fishing rod,flashlight,freezer,fridge,garden hose,gloves,graphics card,grill,guitar,hair dryer,hammer,hard drive,hat,headset,heater,helmet,hoodie,humidifier,ink cartridge,iron,jacket,jeans,juicer,keyboard,laptop,laptop stand,lawn mower,light bulb,lipstick,mattress,memory card,microphone,microwave,mirror,mixer,moisturizer,monitor,motherboard,mug,necklace,office chair,oven,pajamas,pan,pencil case,perfume,phone,phone charger,pillow,plate,power bank,printer,projector,puzzle,rain coat,razor,ring,router,rug,running shoes,sandals,saw,scarf,screen protector,screwdriver set,security camera,shampoo,shirt,shovel,skirt,sleeping pad,smart watch,socks,sofa,soundbar,speaker,stroller,suitcase,swimsuit,tablet,tea pot,tennis racket,tie,tire,toaster,toothbrush,toy car,tripod,tv,umbrella,usb cable,vacuum cleaner,vase,wall mount,wallet,washing machine,water filter,webcam,wrench,yoga mat'.split(
    ',',
  );
const makes =
  'Arvenno,Belkora,Cintrel,Dovanta,Elmspire,Fennwick,Grovian,Halcyra,Iverna,Jorvane,Kestrin,Lumaro,Mirvale,Norvik,Orlessa,Pinetta,Quorin,Ravello,Silvane,Tarquin,Umbria,Vextra,Wyndale,Xanoro,Yarrow,Zentiva'.split(
    ',',
  );
const materials =
  'acrylic,aluminum,bamboo,brass,canvas,cast iron,ceramic,cotton,fleece,glass,leather,linen,memory foam,merino wool,mesh,nylon,oak,polyester,rubber,silicone,silk,stainless steel,steel,suede,velvet,walnut wood'.split(
    ',',
  );
const colours =
  'beige,black,blue,bronze,brown,charcoal,cream,dark green,gold,gray,green,ivory,navy,orange,pink,purple,red,rose gold,silver,teal,turquoise,white,yellow'.split(
    ',',
  );
const qualities =
  'adjustable,anti-slip,automatic,breathable,compact,cordless,dishwasher safe,durable,eco-friendly,energy saving,ergonomic,extra large,fast charging,fireproof,folding,handmade,heavy duty,high speed,insulated,lightweight,magnetic,mini,noise cancelling,non-stick,portable,professional,programmable,quiet,rechargeable,remote controlled,reusable,reversible,scratch resistant,slim,soft,solar,stackable,touch screen,ultra thin,vintage,washable,waterproof,windproof,wireless'.split(
    ',',
  );
const users =
  'adults,babies,beginners,boys,cats,children,dogs,drivers,girls,guests,kids,men,office workers,professionals,runners,seniors,students,teenagers,toddlers,travelers,women'.split(
    ',',
  );
const places =
  'bathroom,beach,bedroom,camping,car,classroom,garage,garden,gym,hiking,home,kitchen,living room,nursery,office,outdoor,party,school,travel,winter,work'.split(
    ',',
  );
const sizes =
  '2 pack,3 pieces,set of 4,6 inch,10 inch,12 oz,15.6 inch,24 inch,27",32 GB,128GB,500 ml,1 TB,1.5 L,2 m,5 ft,12V,20V,60W,100 W,1080p,4K,XS,S,M,L,XL,size 9,queen size,king size,500 g,2 kg,8 x 10'.split(
    ',',
  );

interface Product {
  make: string;
  kind: string;
  material: string;
  colour: string;
  quality: string;
  other: string;
  user: string;
  place: string;
  size: string;
  code: string;
  price: string;
}

const forms: readonly ((product: Product) => string)[] = [
  ({ make, kind, code, size, colour }) => `${make} ${code} ${capital(kind)} ${size}, ${capital(colour)}`,
  ({ make, quality, material, kind, user }) =>
    `${make} ${capital(quality)} ${capital(material)} ${capital(kind)} for ${capital(user)}`,
  ({ quality, kind, place }) => `${quality} ${kind} for ${place}`,
  ({ colour, material, kind }) => `${colour} ${material} ${kind}`,
  ({ kind, user, size }) => `${kind} for ${user} ${size}`,
  ({ make, kind }) => `${make.toLowerCase()} ${kind}`,
  ({ kind, quality, other }) => `${kind} ${quality} ${other}`,
  ({ quality, kind, price }) => `${quality} ${kind} under ${price}`,
  ({ make, code, kind, quality, other, material, colour, size }) =>
    `Brand: ${make} | Model: ${code} | Type: ${kind} | Features: ${quality}, ${other} | Material: ${material} | Color: ${colour} | Size: ${size}`,
  ({ make, code, kind, quality, other, material, place, user }) =>
    `The ${make} ${code} is a ${quality} ${kind} made of ${material}. It is ${other} and ideal for the ${place}. A great gift for ${user}.`,
  ({ kind, quality, material, colour, size, place }) =>
    `${capital(quality)} ${kind} in ${colour}, ${size}. The ${material} surface is easy to clean. Use it at home, for ${place} or anywhere else.`,
  ({ make, kind, code, other, size, price }) =>
    `Replacement ${kind} compatible with ${make} ${code} (${size}), ${other}. Price: ${price}`,
  ({ kind, quality, user, other }) =>
    `Why you will love this ${kind}: ✓ ${quality} ✓ ${other} ✓ made for ${user}. Includes 1 x ${kind}, user manual and a 2-year warranty.`,
  ({ make, code }) => `${make} ${code}`,
];

export function productText(random: RandomNumbers): string {
  return random.pick(forms)({
    make: random.pick(makes),
    kind: random.pick(kinds),
    material: random.pick(materials),
    colour: random.pick(colours),
    quality: random.pick(qualities),
    other: random.pick(qualities),
    user: random.pick(users),
    place: random.pick(places),
    size: random.pick(sizes),
    code: codeFrom(random),
    price: `$${random.between(5, 400)}${random.pick(['', '.00', '.95', '.99'])}`,
  });
}

const letters = 'ABCDEFGHKLMNPRSTVWXZ';

/** As `KX-310`, `B45` or `SM2000 Pro`. */
function codeFrom(random: RandomNumbers): string {
  const start = Array.from({ length: random.between(1, 2) }, () =>
    letters.charAt(random.below(letters.length)),
  );
  const number = random.between(1, 99) * random.pick([1, 5, 10, 100]);
  return `${start.join('')}${random.pick(['', '-', ' '])}${number}${random.pick(['', '', '', ' Pro', ' Plus', 'X'])}`;
}

function capital(words: string): string {
  return words.replaceAll(/(^|[\s-])[a-z]/g, (start) => start.toUpperCase());
}
