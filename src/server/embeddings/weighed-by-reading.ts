/**
 * The vector of a query that its model reads in part only, of more components than the model's own: those count by how much it reads, and the n-grams of the words
 * beyond them as before. What a model makes of letters that it does not read is noise, which is near to all texts in the same letters.
 * @param own how many components are the model's @param readable how much of the text it reads, 0 to 1
 */
export function weighedByReading(
  vector: Float32Array,
  { own, readable }: { own: number; readable: number },
): Float32Array {
  if (readable === 1 || vector.length <= own) return vector;
  const weighed = vector.map((component, place) => (place < own ? readable * component : component));
  const length = Math.hypot(...weighed);
  return length === 0 ? vector : weighed.map((component) => component / length);
}
