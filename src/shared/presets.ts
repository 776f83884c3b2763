import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { pageFields } from './pages.ts';
import { ruleId } from './rule-id.ts';
import { searchParameters } from './search-parameters.ts';

/** Parameters that a search may be asked with by a name. What it is about it says itself. */
const presetParameters = searchParameters.omit({
  query: true,
  q: true,
  vector_query: true,
  page: true,
  offset: true,
  cursor: true,
  preset: true,
  understand_skip: true,
});

export const presetRef = collectionRef.extend({ preset: ruleId });
export const presetWrite = presetRef.extend({ parameters: presetParameters });
export const presetList = collectionRef.extend(pageFields);

export const presetShape = z.object({ name: ruleId, parameters: presetParameters }).meta({ id: 'Preset' });
export type Preset = z.output<typeof presetShape>;
export const presetsShape = z.object({ presets: z.array(presetShape) });
