import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelFilesGiven, makeModelDirectory } from './model-directory.ts';
import { standInPackages } from './onnx-stand-in.ts';

/** The built server as a process of its own, in a folder whose optional packages a test can choose: how it refuses a model. */
let root: Awaited<ReturnType<typeof makeModelDirectory>>;
let model: Awaited<ReturnType<typeof makeModelDirectory>>;

beforeEach(async () => {
  [root, model] = await Promise.all([makeModelDirectory({}, 'product'), makeModelDirectory()]);
  await mkdir(path.join(root.directory, 'dist/server'), { recursive: true });
  for (const name of ['main.js', 'onnx-worker.js'])
    await copyFile(path.join('dist/server', name), path.join(root.directory, 'dist/server', name));
  await symlink(path.resolve('node_modules'), path.join(root.directory, 'node_modules'));
  await copyFile('package.json', path.join(root.directory, 'package.json'));
  await root.write({ 'optional/onnx/package.json': { dependencies: { one: '1.2.3' } } });
});
afterEach(async () => {
  await root.remove();
  await model.remove();
});

function start(): Promise<{ code: unknown; said: string }> {
  const { directory } = root;
  const DATA_DIR = path.join(directory, 'data');
  const env = { ...process.env, DATA_DIR, EMBEDDINGS: 'onnx', EMBEDDINGS_MODEL: model.directory };
  return new Promise((resolve) => {
    const file = path.join(directory, 'dist/server/main.js');
    execFile(process.execPath, [file], { env, cwd: directory }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, said: stdout + stderr });
    });
  });
}

test('without the packages it says what installs them', async () => {
  const folder = path.join(root.directory, 'optional/onnx');
  expect(await start()).toEqual({
    code: 1,
    said: `Vectora cannot start: EMBEDDINGS=onnx needs one 1.2.3, which are not installed. This installs them: npm ci --ignore-scripts --prefix "${folder}"\n`,
  });
});

test('a model that does not fit its directory is refused once its thread has started', async () => {
  const packages: ModelFilesGiven = {
    ...standInPackages,
    'node_modules/one/package.json': { version: '1.2.3' },
  };
  delete packages['package.json'];
  await root.write(
    Object.fromEntries(Object.entries(packages).map(([file, content]) => [`optional/onnx/${file}`, content])),
  );
  await model.write({ 'onnx/model.onnx': JSON.stringify({ dimension: 16 }) });
  const file = path.join(model.directory, 'onnx/model.onnx');
  expect(await start()).toEqual({
    code: 1,
    said: `Vectora cannot start: EMBEDDINGS_MODEL: ${file} gives 16 components, and its directory says 8\n`,
  });
});
