/** How often a property is tried that is dear: by `npm run test:long` as often as told, else a fourth of that, since each run tries others. */
export const runs = (times: number): number => (process.env['LONG_TESTS'] ? times : Math.ceil(times / 4));
