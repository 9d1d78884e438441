// Styles of a widget as sheets made by script: a page whose policy allows no inline style shows them all the same.

const shared = new Map<string, CSSStyleSheet>();
/** One sheet for all elements that draw with this CSS. */
function sheetOf(css: string): CSSStyleSheet {
  let sheet = shared.get(css);
  if (!sheet) {
    shared.set(css, (sheet = new CSSStyleSheet()));
    sheet.replaceSync(css);
  }
  return sheet;
}

/** Dresses a shadow root: our CSS, the merchant's values for it, then CSS of the merchant's own. */
export function dress(root: ShadowRoot, css: string, variables: Readonly<Record<string, string>>, customCss: string): void {
  const values = new CSSStyleSheet();
  values.insertRule(':host{}');
  const rule = values.cssRules[0] as CSSStyleRule;
  // One by one, so that a value can only ever be a value.
  for (const [name, value] of Object.entries(variables)) rule.style.setProperty(name, value);
  const own = new CSSStyleSheet();
  own.replaceSync(customCss);
  root.adoptedStyleSheets = [sheetOf(css), values, own];
}
