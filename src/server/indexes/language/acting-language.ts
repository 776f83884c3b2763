/** Of the collection in whose row it stands: what its owner set, or what was detected where that acts. ISO 639-1; null: neither. */
export const actingLanguage = `coalesce(
  (select settings ->> 'language' from search_settings where collection_id = collections.id),
  (select language from detected_languages where collection_id = collections.id and acts))`;
