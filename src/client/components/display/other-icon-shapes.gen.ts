// Made by `npm run icons:generate` from @tabler/icons-react 3.51.0: the icons that the console imports.
// MIT License
//
// Copyright (c) 2020-2026 Paweł Kuna
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.
import type { IconShape } from './icon.tsx';

export const activityIcon: IconShape = ["M3 12h4l3 8l4 -16l3 8h4"];
export const adjustmentsHorizontalIcon: IconShape = ["M12 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0","M4 6l8 0","M16 6l4 0","M6 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0","M4 12l2 0","M10 12l10 0","M15 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0","M4 18l11 0","M19 18l1 0"];
export const adjustmentsIcon: IconShape = ["M4 10a2 2 0 1 0 4 0a2 2 0 0 0 -4 0","M6 4v4","M6 12v8","M10 16a2 2 0 1 0 4 0a2 2 0 0 0 -4 0","M12 4v10","M12 18v2","M16 7a2 2 0 1 0 4 0a2 2 0 0 0 -4 0","M18 4v1","M18 9v11"];
export const arrowDownIcon: IconShape = ["M12 5l0 14","M18 13l-6 6","M6 13l6 6"];
export const arrowLeftIcon: IconShape = ["M5 12l14 0","M5 12l6 6","M5 12l6 -6"];
export const arrowUpIcon: IconShape = ["M12 5l0 14","M18 11l-6 -6","M6 11l6 -6"];
export const arrowsExchangeIcon: IconShape = ["M7 10h14l-4 -4","M17 14h-14l4 4"];
export const chartDots3Icon: IconShape = ["M3 7a2 2 0 1 0 4 0a2 2 0 1 0 -4 0","M14 15a2 2 0 1 0 4 0a2 2 0 1 0 -4 0","M15 6a3 3 0 1 0 6 0a3 3 0 1 0 -6 0","M3 18a3 3 0 1 0 6 0a3 3 0 1 0 -6 0","M9 17l5 -1.5","M6.5 8.5l7.81 5.37","M7 7l8 -1"];
export const chevronDownIcon: IconShape = ["M6 9l6 6l6 -6"];
export const chevronLeftIcon: IconShape = ["M15 6l-6 6l6 6"];
export const chevronRightIcon: IconShape = ["M9 6l6 6l-6 6"];
export const circleCheckIcon: IconShape = ["M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0","M9 12l2 2l4 -4"];
export const circleDashedIcon: IconShape = ["M8.56 3.69a9 9 0 0 0 -2.92 1.95","M3.69 8.56a9 9 0 0 0 -.69 3.44","M3.69 15.44a9 9 0 0 0 1.95 2.92","M8.56 20.31a9 9 0 0 0 3.44 .69","M15.44 20.31a9 9 0 0 0 2.92 -1.95","M20.31 15.44a9 9 0 0 0 .69 -3.44","M20.31 8.56a9 9 0 0 0 -1.95 -2.92","M15.44 3.69a9 9 0 0 0 -3.44 -.69"];
export const clockBoltIcon: IconShape = ["M20.984 12.53a9 9 0 1 0 -7.552 8.355","M12 7v5l3 3","M19 16l-2 3h4l-2 3"];
export const compassIcon: IconShape = ["M8 16l2 -6l6 -2l-2 6l-6 2","M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0","M12 3l0 2","M12 19l0 2","M3 12l2 0","M19 12l2 0"];
export const copyIcon: IconShape = ["M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666","M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1"];
export const databaseIcon: IconShape = ["M4 6a8 3 0 1 0 16 0a8 3 0 1 0 -16 0","M4 6v6a8 3 0 0 0 16 0v-6","M4 12v6a8 3 0 0 0 16 0v-6"];
export const deviceMobileIcon: IconShape = ["M6 5a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2v-14","M11 4h2","M12 17v.01"];
export const dotsIcon: IconShape = ["M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0","M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0","M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0"];
export const downloadIcon: IconShape = ["M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2","M7 11l5 5l5 -5","M12 4l0 12"];
export const eyeIcon: IconShape = ["M10 12a2 2 0 1 0 4 0a2 2 0 0 0 -4 0","M21 12c-2.4 4 -5.4 6 -9 6c-3.6 0 -6.6 -2 -9 -6c2.4 -4 5.4 -6 9 -6c3.6 0 6.6 2 9 6"];
export const eyeOffIcon: IconShape = ["M10.585 10.587a2 2 0 0 0 2.829 2.828","M16.681 16.673a8.717 8.717 0 0 1 -4.681 1.327c-3.6 0 -6.6 -2 -9 -6c1.272 -2.12 2.712 -3.678 4.32 -4.674m2.86 -1.146a9.055 9.055 0 0 1 1.82 -.18c3.6 0 6.6 2 9 6c-.666 1.11 -1.379 2.067 -2.138 2.87","M3 3l18 18"];
export const fileSearchIcon: IconShape = ["M14 3v4a1 1 0 0 0 1 1h4","M12 21h-5a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v4.5","M14 17.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0","M18.5 19.5l2.5 2.5"];
export const fileTextIcon: IconShape = ["M14 3v4a1 1 0 0 0 1 1h4","M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2","M9 9l1 0","M9 13l6 0","M9 17l6 0"];
export const filterIcon: IconShape = ["M4 4h16v2.172a2 2 0 0 1 -.586 1.414l-4.414 4.414v7l-6 2v-8.5l-4.48 -4.928a2 2 0 0 1 -.52 -1.345v-2.227"];
export const filterOffIcon: IconShape = ["M8 4h12v2.172a2 2 0 0 1 -.586 1.414l-3.914 3.914m-.5 3.5v4l-6 2v-8.5l-4.48 -4.928a2 2 0 0 1 -.52 -1.345v-2.227","M3 3l18 18"];
export const historyIcon: IconShape = ["M12 8l0 4l2 2","M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5"];
export const keyboardIcon: IconShape = ["M2 8a2 2 0 0 1 2 -2h16a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2l0 -8","M6 10l0 .01","M10 10l0 .01","M14 10l0 .01","M18 10l0 .01","M6 14l0 .01","M18 14l0 .01","M10 14l4 .01"];
export const listDetailsIcon: IconShape = ["M13 5h8","M13 9h5","M13 15h8","M13 19h5","M3 5a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -4","M3 15a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1l0 -4"];
export const lockIcon: IconShape = ["M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-6","M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0","M8 11v-4a4 4 0 1 1 8 0v4"];
export const mailIcon: IconShape = ["M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-10","M3 7l9 6l9 -6"];
export const messagesIcon: IconShape = ["M21 14l-3 -3h-7a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1h9a1 1 0 0 1 1 1v10","M14 15v2a1 1 0 0 1 -1 1h-7l-3 3v-10a1 1 0 0 1 1 -1h2"];
export const minusIcon: IconShape = ["M5 12l14 0"];
export const pencilIcon: IconShape = ["M4 20h4l10.5 -10.5a2.828 2.828 0 1 0 -4 -4l-10.5 10.5v4","M13.5 6.5l4 4"];
export const pinIcon: IconShape = ["M15 4.5l-4 4l-4 1.5l-1.5 1.5l7 7l1.5 -1.5l1.5 -4l4 -4","M9 15l-4.5 4.5","M14.5 4l5.5 5.5"];
export const pinnedOffIcon: IconShape = ["M9 4v1","M9 9v1l-2 4v2h9","M16 12l-1 -2v-6","M12 16v5","M8 4h8","M3 3l18 18"];
export const playerPauseIcon: IconShape = ["M6 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12","M14 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12"];
export const plugConnectedIcon: IconShape = ["M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5","M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5","M3 21l2.5 -2.5","M18.5 5.5l2.5 -2.5","M10 11l-2 2","M13 14l-2 2"];
export const repeatIcon: IconShape = ["M4 12v-3a3 3 0 0 1 3 -3h13m-3 -3l3 3l-3 3","M20 12v3a3 3 0 0 1 -3 3h-13m3 3l-3 -3l3 -3"];
export const rocketIcon: IconShape = ["M4 13a8 8 0 0 1 7 7a6 6 0 0 0 3 -5a9 9 0 0 0 6 -8a3 3 0 0 0 -3 -3a9 9 0 0 0 -8 6a6 6 0 0 0 -5 3","M7 14a6 6 0 0 0 -3 6a6 6 0 0 0 6 -3","M14 9a1 1 0 1 0 2 0a1 1 0 1 0 -2 0"];
export const serverIcon: IconShape = ["M3 7a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3v-2","M3 15a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -2","M7 8l0 .01","M7 16l0 .01"];
export const tableIcon: IconShape = ["M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14","M3 10h18","M10 3v18"];
export const terminal2Icon: IconShape = ["M8 9l3 3l-3 3","M13 15l3 0","M3 6a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2l0 -12"];
export const thumbDownIcon: IconShape = ["M7 13v-8a1 1 0 0 0 -1 -1h-2a1 1 0 0 0 -1 1v7a1 1 0 0 0 1 1h3a4 4 0 0 1 4 4v1a2 2 0 0 0 4 0v-5h3a2 2 0 0 0 2 -2l-1 -5a2 3 0 0 0 -2 -2h-7a3 3 0 0 0 -3 3"];
export const thumbUpIcon: IconShape = ["M7 11v8a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1v-7a1 1 0 0 1 1 -1h3a4 4 0 0 0 4 -4v-1a2 2 0 0 1 4 0v5h3a2 2 0 0 1 2 2l-1 5a2 3 0 0 1 -2 2h-7a3 3 0 0 1 -3 -3"];
export const trashIcon: IconShape = ["M4 7l16 0","M10 11l0 6","M14 11l0 6","M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l1 -12","M9 7v-3a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3"];
export const userIcon: IconShape = ["M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0","M6 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2"];
export const userQuestionIcon: IconShape = ["M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0","M6 21v-2a4 4 0 0 1 4 -4h3.5","M19 22v.01","M19 19a2.003 2.003 0 0 0 .914 -3.782a1.98 1.98 0 0 0 -2.414 .483"];
