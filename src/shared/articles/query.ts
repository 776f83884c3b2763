/** Of what is searched for in the documentation. */
export const articleQueryCharactersMax = 256;
