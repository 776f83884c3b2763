/** Of those whose names stand in each other's, the one that is meant comes first: Edge says Chrome and Safari too. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What people call the browser that says this of itself: "Firefox on Linux". What is none, as curl, by its own name. */
export function describeBrowser(userAgent: string | null): { name: string; isMobile: boolean } {
  if (userAgent === null || userAgent.trim() === '') return { name: 'Unknown browser', isMobile: false };
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers) ?? userAgent.split(/[/ ]/, 1)[0] ?? '';
  const system = find(systems);
  return {
    name: system ? `${browser} on ${system}` : browser,
    isMobile: /\bMobile\b|\biPhone\b|\bAndroid\b/.test(userAgent),
  };
}
