// `node scripts/make-icons.mjs`: what browsers, phones and shared links show of the product, drawn from public/favicon.svg. Made once and
// committed.
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findChromium } from './chromium.mjs';
import { at } from './freshness.mjs';

const mark = readFileSync(at('public/favicon.svg'), 'utf8');
const font = readFileSync(at('src/client/styles/fonts/onest-latin.woff2')).toString('base64');
const ink = '#10112e';
/** Without its round corners and smaller: what is put around it may be cut off. */
const whole = mark.replace('rx="9"', '').replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"');

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();

/** @returns {Promise<Buffer>} a PNG of `html`, which fills the picture */
async function draw(html, { width, height = width, isClear = false }) {
  await page.setViewportSize({ width, height });
  const background = isClear ? 'transparent' : ink;
  await page.setContent(
    `<style>@font-face{font-family:Onest;font-weight:100 900;src:url(data:font/woff2;base64,${font})}
     html{background:${background}}body{margin:0;font-family:Onest}svg{display:block}</style>${html}`,
  );
  await page.evaluate(() => document.fonts.ready);
  return await page.screenshot({ omitBackground: isClear });
}

const sized = (svg, size) => svg.replace('<svg ', `<svg width="${size}" height="${size}" `);

/** A PNG in the frame that old browsers ask for. */
function asIco(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // one picture
  head[6] = size;
  head[7] = size;
  head.writeUInt16LE(1, 10); // planes
  head.writeUInt16LE(32, 12); // bits a pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

try {
  const small = await draw(sized(mark, 32), { width: 32, isClear: true });
  writeFileSync(at('public/favicon.ico'), asIco(small, 32));
  writeFileSync(at('public/icon-192.png'), await draw(sized(mark, 192), { width: 192, isClear: true }));
  writeFileSync(at('public/icon-512.png'), await draw(sized(whole, 512), { width: 512 }));
  writeFileSync(at('public/apple-touch-icon.png'), await draw(sized(whole, 180), { width: 180 }));
  const share = `<div style="display:flex;flex-direction:column;justify-content:center;height:630px;padding:0 90px;color:#fff">
    <div style="display:flex;align-items:center;gap:24px;font-size:44px;font-weight:700">${sized(mark, 84)}Vectora</div>
    <div style="margin-top:48px;font-size:84px;line-height:1.05;font-weight:700;letter-spacing:-.035em">Search that understands what people <span style="color:#a5a3ff">mean</span></div>
    <div style="margin-top:36px;font-size:34px;color:#b9bad9">Words <b style="color:#f5b14c">━━</b> and meaning <b style="color:#a5a3ff">━━━━</b>, in one API</div></div>`;
  writeFileSync(at('public/share.png'), await draw(share, { width: 1200, height: 630 }));
} finally {
  await browser.close();
}
