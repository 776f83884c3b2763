import path from 'node:path';
import { z } from 'zod';
import { SettingsError } from '#server/settings-error.ts';
import { findModelJson } from './model-json.ts';

const folderJson = z.object({ dependencies: z.record(z.string(), z.string()) });
const packageJson = z.looseObject({ version: z.string() });

/** Where the packages are that run an ONNX file: the product is installed without them. */
export const packagesDirOf = (rootDir: string): string => path.join(rootDir, 'optional/onnx');

/** @throws SettingsError with the command that installs those that are missing, or are there in another version */
export async function assertPackages(packagesDir: string): Promise<void> {
  const folder = await findModelJson(path.join(packagesDir, 'package.json'), folderJson);
  if (folder === null)
    throw new SettingsError(
      `EMBEDDINGS=onnx needs ${path.join(packagesDir, 'package.json')}, which is missing`,
    );
  const pinned = Object.entries(folder.dependencies);
  const installed = await Promise.all(
    pinned.map(([name]) =>
      findModelJson(path.join(packagesDir, 'node_modules', name, 'package.json'), packageJson),
    ),
  );
  if (pinned.every(([, version], i) => installed[i]?.version === version)) return;
  const named = pinned.map(([name, version]) => `${name} ${version}`).join(' and ');
  throw new SettingsError(
    `EMBEDDINGS=onnx needs ${named}, which are not installed. This installs them: npm ci --ignore-scripts --prefix "${packagesDir}"`,
  );
}
