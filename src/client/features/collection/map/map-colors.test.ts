import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { describe, expect, test } from 'vitest';
import { cssVariables, theme } from '#client/theme.ts';
import { categoriesMax, colorOf, rampSteps } from './point-colors.ts';

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

const variables = cssVariables(mergeMantineTheme(DEFAULT_THEME, theme));

/** What people without one of the three kinds of cones see, in linear RGB (Machado, Oliveira, Fernandes, 2009). */
const eyes: Record<string, Matrix> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no long ones': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no middle ones': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no short ones': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function times(matrix: Matrix, [a, b, c]: Triple): Triple {
  return matrix.map(([x, y, z]) => x * a + y * b + z * c) as Triple;
}

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

/** Lightness, and two axes of hue, in which distances are about as people see them (Ottosson, "OKLab", 2020). */
function oklab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt) as Triple,
  );
}

const seen = (color: string, matrix: Matrix): Triple =>
  oklab(times(matrix, linear(color)).map((part) => Math.min(1, Math.max(0, part))) as Triple);

const distance = (a: Triple, b: Triple): number => Math.hypot(...a.map((part, i) => part - (b[i] ?? 0)));

function luminance(color: string): number {
  const [red, green, blue] = linear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(['light', 'dark'] as const)('the colors of a map in the %s scheme', (scheme) => {
  const own: Record<string, string> = variables[scheme];
  const read = (name: string) => own[name] ?? `no ${name}`;
  const groups = Array.from({ length: categoriesMax }, (_, i) => read(colorOf(i)));
  const ramp = Array.from({ length: rampSteps }, (_, i) => read(`--vx-map-ramp-${i + 1}`));
  const others = ['--vx-map-other', '--vx-map-none'].map(read);

  test('are seen on the page (WCAG 1.4.11)', () => {
    const faint = [...groups, ...ramp, ...others].filter(
      (color) => contrast(color, read('--vx-surface')) < 3,
    );
    expect(faint).toEqual([]);
  });

  test.each(Object.entries(eyes))('are told apart with %s', (_, matrix) => {
    const alike = groups.flatMap((one, i) =>
      groups.slice(0, i).filter((other) => distance(seen(one, matrix), seen(other, matrix)) < 0.08),
    );
    expect(alike).toEqual([]);
  });

  test.each(Object.entries(eyes))('of a ramp become lighter or darker step by step with %s', (_, matrix) => {
    const lightness = ramp.map((color) => seen(color, matrix)[0]);
    const steps = lightness.slice(1).map((one, i) => one - (lightness[i] ?? 0));
    const direction = Math.sign(steps[0] ?? 0);
    for (const step of steps) expect(step * direction).toBeGreaterThan(0.03);
  });
});
