// `node scripts/make-font.mjs`: the face of the console and its licence, out of the package that subsets it, without the kerning of its space
// (fonttools, in an environment of its own). Made once and committed: a start installs no fonts.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { at } from './freshness.mjs';

const release = '@fontsource-variable/onest@5.3.1';
const tools = ['fonttools==4.68.0', 'brotli==1.2.1'];
const fonts = at('src/client/styles/fonts');
const folder = mkdtempSync(path.join(tmpdir(), 'vectora-font-'));
try {
  const packed = execFileSync('npm', ['pack', '--silent', release], { cwd: folder, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', packed], { cwd: folder });
  const python = path.join(folder, 'tools/bin/python');
  execFileSync('python3', ['-m', 'venv', path.join(folder, 'tools')]);
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...tools]);
  execFileSync(python, [
    at('scripts/drop-space-kerning.py'),
    path.join(folder, 'package/files/onest-latin-wght-normal.woff2'),
    path.join(fonts, 'onest-latin.woff2'),
  ]);
  copyFileSync(path.join(folder, 'package/LICENSE'), path.join(fonts, 'onest-license.txt'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
