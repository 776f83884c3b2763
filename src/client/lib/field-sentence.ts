/**
 * What is said of a field, as a sentence that names it: `must be at most 128 characters` of `metadata.fields.0.name` is "Name must be at
 * most 128 characters." What begins with a capital letter is a sentence already.
 */
export function fieldSentence(path: string, message: string): string {
  if (/^\p{Lu}/u.test(message)) return message;
  const text = isPredicate(message) ? `${fieldLabel(path)} ${message}` : capitalized(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function isPredicate(message: string): boolean {
  return /^(?:is|are|must|may|has|have|needs?|can|cannot|contains?|does|already)\b/.test(message);
}

/** `confirmPassword` is "Confirm password", `projectId` is "Project", `url` is "URL". */
function fieldLabel(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  if (name === 'url') return 'URL';
  return capitalized(
    name.replace(/Ids?$/, '').replaceAll(/\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`),
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
