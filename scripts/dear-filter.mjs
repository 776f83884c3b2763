/** A hundred pairs of words that many films have, and a legal filter of them that costs much. */
const nouns = 'film director war love story man woman american drama family'.split(' ');
const others = 'of in and a to is with his her by'.split(' ');

export const dearFilter = nouns
  .flatMap((noun) => others.map((other) => `text:the ${noun} ${other}`))
  .join(' || ');
