// What the smaller elements have in common in their looks.
export const BASE_CSS = `
:host { display: block; color-scheme: light; text-align: start; }
:host([hidden]) { display: none; }
.w, .w * { box-sizing: border-box; }
.w { font-size: 14px; line-height: 1.45; }
.w p { margin: 0; }
.w :is(button, select, input, textarea) { font: inherit; letter-spacing: inherit; margin: 0; }
.w [hidden] { display: none !important; }
`;
