import type { Passage } from './passages.ts';

/** "genres", but not "status". */
export const isMany = (label: string) => /[^s]s$/.test(label) && !/us$|is$/.test(label);

/** What a field is called that says when something happened. */
export const happened =
  /^(released|published|founded|created|updated|painted|born|died|made|written|recorded)$/;
const wholeYear = /^[12]\d{3}$/;

/** The values of a short field as a sentence; each stands in it as in the document. `title`: null where the document has none. */
export function valueSentence(title: string | null, { field, text }: Passage): string {
  const values = text.slice(text.indexOf(': ') + 2);
  const label = (field.split('.').at(-1) ?? field).replaceAll(/[_-]+/g, ' ').trim().toLowerCase();
  const said = /[.!?]$/.test(values) ? values : `${values}.`;
  if (happened.test(label)) {
    const verb = label === 'died' ? label : `was ${label}`;
    return `${title === null ? 'It' : `“${title}”`} ${verb} ${wholeYear.test(values) ? 'in ' : ''}${said}`;
  }
  return `The ${label}${title === null ? '' : ` of “${title}”`} ${isMany(label) ? 'are' : 'is'} ${said}`;
}
