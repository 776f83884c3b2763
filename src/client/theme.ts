import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

/**
 * The one place for the look: one face (Onest), an ink-blue neutral scale, one accent ("iris"), a tight type scale, soft radii, and
 * the two colours of a search: amber for words, iris for meaning.
 * CSS modules use Mantine's variables and the few `--vx-*` surfaces below; no component sets a literal colour.
 */

const iris: MantineColorsTuple = [
  '#f1f1ff',
  '#dfdffe',
  '#bdbcfb',
  '#9a98f7',
  '#7c79f2',
  '#625eea',
  '#4b46df',
  '#3f3bc7',
  '#3532a3',
  '#2a2880',
];

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f5',
  '#e4e7ed',
  '#d3d8e1',
  '#b4bbc8',
  '#8b94a5',
  '#677083',
  '#4a5264',
  '#2f3646',
  '#171c28',
];

/** 0 is text, 6 fields and cards, 7 the page, 9 the deepest. */
const dark: MantineColorsTuple = [
  '#d9dde7',
  '#bcc3d1',
  '#9ba4b6',
  '#6d7689',
  '#3a4253',
  '#2a3140',
  '#181d29',
  '#0f131c',
  '#0b0e15',
  '#07090e',
];

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 6 },
  colors: { iris, gray, dark },
  black: '#171c28',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  fontFamily:
    "'Onest', 'Onest Fallback', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  // 12, 14, 15, 18, 20 and 28 px; distances are multiples of 8 px, or half of that.
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.125rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2143' },
      h2: { fontSize: '1.25rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.6' },
      h4: { fontSize: '0.875rem', lineHeight: '1.4286' },
    },
  },
  shadows: {
    xs: '0 1px 2px rgb(23 28 40 / 5%)',
    sm: '0 1px 3px rgb(23 28 40 / 8%), 0 4px 12px -4px rgb(23 28 40 / 6%)',
    md: '0 2px 6px rgb(23 28 40 / 7%), 0 12px 28px -8px rgb(23 28 40 / 14%)',
    lg: '0 4px 10px rgb(23 28 40 / 8%), 0 24px 48px -12px rgb(23 28 40 / 20%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
      },
    },
    // Its placeholder is a child that a menu may not have; without it the first item takes the focus.
    Menu: { defaultProps: { shadow: 'md', radius: 'md', offset: 6, withInitialFocusPlaceholder: false } },
    Paper: { defaultProps: { radius: 'lg' } },
    Card: { defaultProps: { radius: 'lg', withBorder: true, padding: 'lg' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
    Badge: { defaultProps: { radius: 'sm', variant: 'light', tt: 'none', fw: 600 } },
  },
});

/** Mantine's red is too light for the white text of a button. */
const filled = { '--mantine-color-red-filled': '#c2272d', '--mantine-color-red-filled-hover': '#a51d24' };

/** Mantine's tinted text is under 4.5:1 on its own tint, so both schemes get their own. */
const tintedText = {
  light: {
    iris: '#3f3bc7',
    gray: '#3d4557',
    red: '#a51d24',
    green: '#17602f',
    teal: '#0a5f4a',
    yellow: '#704700',
    orange: '#8f3a0c',
    blue: '#174a99',
  },
  dark: {
    iris: '#bdbcfb',
    gray: '#bcc3d1',
    red: '#ffa8a8',
    green: '#8ce99a',
    teal: '#63e6be',
    yellow: '#ffe066',
    orange: '#ffc078',
    blue: '#a5d8ff',
  },
} as const;

function tinted(scheme: 'light' | 'dark'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tintedText[scheme]).flatMap(([name, value]) => [
      [`--mantine-color-${name}-light-color`, value],
      [`--mantine-color-${name}-outline`, value],
      [`--mantine-color-${name}-text`, value],
    ]),
  );
}

/** Of points on a map: groups that people tell apart who see colours in any way, and a ramp whose lightness alone says what is more. */
const mapColors = {
  light: {
    groups: ['#5649d9', '#e9622e', '#379f70', '#d267ea', '#012868', '#ab2974', '#225c13', '#5c0300'],
    ramp: ['#3a9a78', '#237f8e', '#345f8d', '#463480', '#440154'],
    other: '#7d8697',
    none: '#8d95a6',
  },
  dark: {
    groups: ['#3e96ea', '#d44f13', '#31f4d8', '#e3a7f1', '#1d8c5e', '#dcdd2c', '#ba64b4', '#cc9c42'],
    ramp: ['#6d66c6', '#3f8fb5', '#2fb39a', '#7ad151', '#fde725'],
    other: '#7c869a',
    none: '#606a7e',
  },
} as const;

function onMaps(scheme: 'light' | 'dark'): Record<string, string> {
  const { groups, ramp, other, none } = mapColors[scheme];
  return Object.fromEntries([
    ...groups.map((color, i) => [`--vx-map-${i + 1}`, color]),
    ...ramp.map((color, i) => [`--vx-map-ramp-${i + 1}`, color]),
    ['--vx-map-other', other],
    ['--vx-map-none', none],
  ]);
}

export const cssVariables: CSSVariablesResolver = () => {
  return {
    variables: {
      '--vx-sidebar-expanded': '16rem',
      '--vx-sidebar-collapsed': '4rem',
      // What is dark in both schemes.
      '--vx-ink': '#10112e',
      '--vx-ink-raised': '#1d1e45',
      '--vx-ink-edge': '#6a6ba6',
      '--vx-ink-glow': '#2b2a7c',
      '--vx-ink-text': '#e9e9f8',
      '--vx-ink-dim': '#b9bad9',
      '--vx-ink-words': '#f5b14c',
      '--vx-ink-meaning': '#a5a3ff',
    },
    light: {
      ...tinted('light'),
      ...onMaps('light'),
      ...filled,
      '--mantine-color-iris-light-hover': '#cfcefd',
      '--mantine-color-anchor': '#3f3bc7',
      '--mantine-color-dimmed': '#5b6476',
      '--mantine-color-placeholder': '#6b7486',
      // What menus write in red.
      '--mantine-color-red-6': '#a51d24',
      '--mantine-color-error': '#c2272d',
      '--mantine-color-body': '#ffffff',
      '--vx-page': '#f7f8fa',
      '--vx-surface': '#ffffff',
      '--vx-border': '#e4e7ed',
      '--vx-field-border': '#8d95a6',
      '--vx-ring': '#4b46df',
      '--vx-words': '#d97706',
      '--vx-words-soft': '#fff0cf',
      '--vx-meaning': '#4b46df',
      '--vx-meaning-soft': '#e4e3ff',
      '--vx-hover': '#eff1f5',
      '--vx-accent-soft': '#f1f1ff',
      '--mantine-color-default-border': '#d3d8e1',
    },
    dark: {
      ...tinted('dark'),
      ...onMaps('dark'),
      ...filled,
      '--mantine-color-anchor': '#bdbcfb',
      '--mantine-color-gray-light': '#1f2635',
      '--mantine-color-red-light': '#34191e',
      '--mantine-color-green-light': '#12301f',
      '--mantine-color-teal-light': '#0d2f28',
      '--mantine-color-yellow-light': '#33280d',
      '--mantine-color-yellow-light-hover': '#403311',
      '--mantine-color-orange-light': '#361f10',
      '--mantine-color-blue-light': '#11273f',
      '--mantine-color-iris-light': '#23234a',
      '--mantine-color-iris-light-hover': '#2c2c5c',
      '--mantine-color-gray-light-hover': '#283042',
      '--mantine-color-dimmed': '#9ba4b6',
      '--mantine-color-placeholder': '#8b94a5',
      '--mantine-color-red-6': '#ffa8a8',
      '--mantine-color-error': '#ff9a9a',
      '--mantine-color-body': '#121722',
      '--vx-page': '#0c1018',
      '--vx-surface': '#121722',
      '--vx-border': '#242b3a',
      '--vx-field-border': '#606a7e',
      '--vx-ring': '#9a98f7',
      '--vx-words': '#f5b14c',
      '--vx-words-soft': '#4a3710',
      '--vx-meaning': '#9a98f7',
      '--vx-meaning-soft': '#2a2a5c',
      '--vx-hover': '#1b2130',
      '--vx-accent-soft': '#1d1d3d',
      '--mantine-color-default-border': '#2f3747',
    },
  };
};

/** The key is read before the first paint by `public/color-scheme.js`. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'colorScheme' });
