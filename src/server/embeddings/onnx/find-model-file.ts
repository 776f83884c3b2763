import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { SettingsError } from '#server/settings-error.ts';
import { modelFault } from './model-json.ts';

/** A model in ONNX's form, and what lies beside it: a large one has its numbers in a file of their own. */
export interface ModelFiles {
  model: string;
  numbers: string[];
}

const preferred = ['onnx/model.onnx', 'onnx/model_quantized.onnx', 'model.onnx'];
const pointerStart = 'version https://git-lfs';

/** @throws SettingsError there is none, or several of which none is named */
export async function findModelFile(directory: string, named: string | null): Promise<ModelFiles> {
  const model = path.resolve(directory, named ?? (await onlyFile(directory)));
  if (!(await isFile(model))) throw new SettingsError(`EMBEDDINGS_MODEL_FILE: ${model} is missing`);
  await assertWhole(model);
  const folder = path.dirname(model);
  const own = path.basename(model);
  const beside = (await readdir(folder)).filter(
    (name) => name !== own && /^[._]data/.test(restOf(name, own)),
  );
  return { model, numbers: beside.sort().map((name) => path.join(folder, name)) };
}

async function onlyFile(directory: string): Promise<string> {
  for (const file of preferred) if (await isFile(path.join(directory, file))) return file;
  const found = (await Promise.all(['onnx', ''].map((folder) => onnxFilesIn(directory, folder)))).flat();
  const [file, ...others] = found.sort();
  if (file === undefined)
    throw modelFault(directory, `has no ${preferred[0]}, and no other file whose name ends in .onnx`);
  if (others.length > 0)
    throw new SettingsError(
      `EMBEDDINGS_MODEL_FILE has to say which ONNX file of ${directory}: ${found.join(', ')}`,
    );
  return file;
}

async function onnxFilesIn(directory: string, folder: string): Promise<string[]> {
  const at = path.join(directory, folder);
  if (!(await isThere(at, (found) => found.isDirectory()))) return [];
  return (await readdir(at)).filter((name) => name.endsWith('.onnx')).map((name) => path.join(folder, name));
}

/** Of `model.onnx_data` for `model.onnx`: `_data`. */
const restOf = (name: string, own: string): string => (name.startsWith(own) ? name.slice(own.length) : '');

const isFile = (file: string) => isThere(file, (found) => found.isFile());

async function isThere(
  file: string,
  is: (found: Awaited<ReturnType<typeof stat>>) => boolean,
): Promise<boolean> {
  try {
    return is(await stat(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw modelFault(file, `cannot be read: ${message}`);
  }
}

async function assertWhole(model: string): Promise<void> {
  const handle = await open(model).catch((error: Error) => {
    throw modelFault(model, `cannot be read: ${error.message}`);
  });
  try {
    const start = Buffer.alloc(pointerStart.length);
    const { bytesRead } = await handle.read(start);
    if (bytesRead === 0) throw modelFault(model, 'is empty');
    if (start.toString('latin1') === pointerStart)
      throw modelFault(model, 'is a pointer of Git LFS and not the model itself: "git lfs pull" fetches it');
  } finally {
    await handle.close();
  }
}
