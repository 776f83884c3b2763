import { z } from 'zod';
import { type Capability, capabilityNames } from './search-engine-texts.ts';

export const searchEngines = ['embedded', 'opensearch'] as const;
export type SearchEngine = (typeof searchEngines)[number];

type Capabilities = Record<Capability, boolean>;

const all = (can: boolean) => Object.fromEntries(capabilityNames.map((name) => [name, can])) as Capabilities;

/** The engine in the server does all of it, as the others are told by it. */
const capabilities: Record<SearchEngine, Capabilities> = { embedded: all(true), opensearch: all(false) };

export const engineShape = z
  .object({
    engine: z.enum(searchEngines),
    capabilities: z.object(
      Object.fromEntries(capabilityNames.map((name) => [name, z.boolean()])) as Record<
        Capability,
        z.ZodBoolean
      >,
    ),
  })
  .meta({ id: 'Engine' });
export type Engine = z.infer<typeof engineShape>;

export const engineOf = (engine: SearchEngine): Engine => ({ engine, capabilities: capabilities[engine] });
