import {
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { describe, expect, test } from 'vitest';
import { cssVariables, theme } from './theme.ts';

/** WCAG 2.1, 1.4.3: text of ordinary size. */
const contrastMin = 4.5;
/** 1.4.11: what shows that something is a control, or has the focus. */
const edgeContrastMin = 3;
const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];
type Rgba = [red: number, green: number, blue: number, alpha: number];

const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const [given, own] = [defaultCssVariablesResolver(merged), cssVariables(merged)];

/** A colour as a style sheet would have it: through its variables. */
function toRgba(value: string, scheme: Scheme): Rgba {
  const name = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (name !== undefined) {
    const variables: Record<string, string> = {
      ...given.variables,
      ...given[scheme],
      ...own.variables,
      ...own[scheme],
    };
    return toRgba(variables[name] ?? `no ${name}`, scheme);
  }
  if (value === 'transparent') return [0, 0, 0, 0];
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value)?.[1];
  if (hex !== undefined) {
    const whole = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
      Number.parseInt(whole.slice(at, at + 2), 16),
    );
    return [red, green, blue, 1];
  }
  const parts = /^rgba?\(([\d., ]+)\)$/.exec(value)?.[1]?.split(',').map(Number);
  if (!parts) throw new Error(`not a colour: ${value}`);
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return [red, green, blue, alpha];
}

function over([red, green, blue, alpha]: Rgba, below: Rgba): Rgba {
  const mix = (channel: number, under: number) => channel * alpha + under * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

/** Relative luminance, as WCAG 2.1 defines it. */
function luminance([red, green, blue]: Rgba): number {
  const linear = (channel: number) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(text: string, backgrounds: string[], scheme: Scheme): number {
  const below = backgrounds.reduce<Rgba>((under, one) => over(toRgba(one, scheme), under), [0, 0, 0, 1]);
  const [darker = 0, lighter = 0] = [luminance(over(toRgba(text, scheme), below)), luminance(below)].sort(
    (a, b) => a - b,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

const variable = (name: string) => `var(--mantine-color-${name})`;
/** What pages, panels, menus and dialogs are made of. */
const surfaces = [variable('body'), 'var(--vx-page)', 'var(--vx-surface)', 'var(--vx-hover)'];
/** The colours that have a text of their own. */
const tints = Object.keys(own.light).flatMap(
  (name) => /^--mantine-color-(\w+)-light-color$/.exec(name)?.[1] ?? [],
);
const colorsOf = {
  // White text on a full colour: no button has another one.
  filled: ['iris', 'red'],
  light: tints,
  subtle: tints,
  default: ['iris'],
};
const buttons = Object.entries(colorsOf).flatMap(([variant, colors]) =>
  colors.map((color) => ({ variant, color })),
);

describe.each(schemes)('in the %s scheme', (scheme) => {
  const below = (pairs: [what: string, text: string, backgrounds: string[]][], least = contrastMin) =>
    pairs.flatMap(([what, text, backgrounds]) => {
      const ratio = contrast(text, backgrounds, scheme);
      return ratio >= least ? [] : [`${what} on ${backgrounds.join(' ')}: ${ratio.toFixed(2)}`];
    });

  test('the ratio of known pairs is as WCAG has it', () => {
    expect(contrast('#fff', ['#000'], scheme)).toBe(21);
    expect(contrast('#777777', ['#ffffff'], scheme)).toBeCloseTo(4.48, 2);
    expect(contrast('rgba(0, 0, 0, 0.5)', ['#ffffff'], scheme)).toBeCloseTo(3.98, 1);
  });

  test('text can be read on each surface', () => {
    const texts = ['text', 'dimmed', 'anchor', 'error', ...tints.map((color) => `${color}-text`)];
    expect(below(texts.flatMap((text) => surfaces.map((one) => [text, variable(text), [one]])))).toEqual([]);
  });

  test('what a field holds, and what stands for it while it is empty, can be read', () => {
    const field = [variable('default')];
    expect(
      below([
        ['text', variable('text'), field],
        ['placeholder', variable('placeholder'), field],
      ]),
    ).toEqual([]);
  });

  test('the focus ring and the edges of empty fields are seen on each surface', () => {
    const rings = surfaces.map(
      (one) => ['ring', 'var(--vx-ring)', [one]] satisfies [string, string, string[]],
    );
    const field = ['edge', 'var(--vx-field-border)', [variable('body')]] satisfies [string, string, string[]];
    expect(below([...rings, field], edgeContrastMin)).toEqual([]);
  });

  test('what a menu writes in red can be read, also under the pointer', () => {
    const item = variable('red-6');
    const under = [variable('body'), variable('red-light-hover')];
    expect(
      below([
        ['at rest', item, [variable('body')]],
        ['under the pointer', item, under],
      ]),
    ).toEqual([]);
  });

  test("a field's edge is lighter than the quietest text", () => {
    const edge = contrast('var(--vx-field-border)', [variable('body')], scheme);
    expect(edge).toBeLessThan(contrast(variable('placeholder'), [variable('body')], scheme));
  });

  test('the bars of words and of meaning are seen, and the text that they mark can be read', () => {
    const marks = ['words', 'meaning'];
    const bars = marks.map(
      (mark) => [mark, `var(--vx-${mark})`, ['var(--vx-surface)']] as [string, string, string[]],
    );
    expect(below(bars, edgeContrastMin)).toEqual([]);
    expect(below(marks.map((mark) => [mark, variable('text'), [`var(--vx-${mark}-soft)`]]))).toEqual([]);
  });

  test.each(buttons)(
    'a button, $variant, $color, can be read, also under the pointer',
    ({ variant, color }) => {
      const colors = defaultVariantColorsResolver({ color, theme: merged, variant });
      expect(
        below(
          surfaces.flatMap((one) => [
            ['at rest', colors.color, [one, colors.background]],
            ['under the pointer', colors.hoverColor ?? colors.color, [one, colors.hover]],
          ]),
        ),
      ).toEqual([]);
    },
  );
});
