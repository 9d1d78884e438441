// The CSS of a theme: its styles as variables, the rules that use them, and CSS of the store's own at the end.
import { cssProblem } from '../records/own-css.ts';
import { cssVariables, type Styles } from '../../../domain/widgets/style-attributes.ts';
import type { Theme } from './theme.ts';

/** light and dark: as a preview shows it, whatever the device asks for. */
export type Scheme = 'device' | 'light' | 'dark';

/** The product's own colours where it is dark. */
const DARK: Styles = {
  page: { backgroundColor: '#171614' },
  card: { backgroundColor: '#22201D', borderColor: '#3B3833' },
  title: { color: '#EFECE7' },
  heading: { color: '#EFECE7', borderColor: '#57534C' },
  text: { color: '#EFECE7' },
  hint: { color: '#AAA49B' },
  action: { color: '#8FD0B2', backgroundColor: '#22201D', borderColor: '#57534C' },
  button: { backgroundColor: '#8FD0B2', color: '#10241B' },
  field: { color: '#EFECE7', backgroundColor: '#22201D', borderColor: '#8A847B' },
  link: { color: '#8FD0B2' },
  message: { backgroundColor: '#1F3A2E', color: '#D9F2E5' },
};

const v = (name: string): string => `var(--sub-portal-${name})`;
const letters = (style: string): string =>
  `color:${v(`${style}-color`)};font-size:${v(`${style}-font-size`)};font-weight:${v(`${style}-font-weight`)};` +
  `text-transform:${v(`${style}-text-transform`)};font-style:${v(`${style}-font-style`)}`;
const RULES =
  `body{background:${v('page-background-color')};color:${v('text-color')};font:${v('text-font-size')}/${v('text-line-height')} ` +
  `${v('page-font-family')}}main{max-width:${v('page-max-width')}}` +
  `article{background:${v('card-background-color')};border:${v('card-border-width')} solid ${v('card-border-color')};` +
  `border-radius:${v('card-border-radius')};padding:${v('card-padding')}}` +
  `h1{${letters('title')}}h2{${letters('heading')};border-top-color:${v('heading-border-color')};margin-top:${v('heading-margin-top')}}` +
  `a{color:${v('link-color')}}.quiet{color:${v('hint-color')};font-size:${v('hint-font-size')}}` +
  `nav a{color:${v('action-color')};background:${v('action-background-color')};border-color:${v('action-border-color')};` +
  `border-radius:${v('action-border-radius')};font-weight:${v('action-font-weight')}}` +
  `button{background:${v('button-background-color')};color:${v('button-color')};border-radius:${v('button-border-radius')};` +
  `font-size:${v('button-font-size')};font-weight:${v('button-font-weight')}}` +
  `input,select,textarea{color:${v('field-color')};background:${v('field-background-color')};border-color:${v('field-border-color')};` +
  `border-radius:${v('field-border-radius')}}` +
  `button.second{background:transparent;color:${v('link-color')};border-color:${v('link-color')}}` +
  `.offer{border-color:${v('heading-border-color')};border-radius:${v('card-border-radius')}}` +
  `.offer h2{border:0;margin:0 0 .5rem}` +
  `.track li{background:${v('heading-border-color')}}.track .reached{background:${v('button-background-color')}}` +
  `hr{border-color:${v('heading-border-color')}}` +
  `.said{background:${v('message-background-color')};color:${v('message-color')};border-radius:${v('message-border-radius')}}` +
  // On a wide screen the sections stand in two columns, each as wide as the page is otherwise.
  `.order-history ul{list-style:none;padding:0}` +
  `@media(min-width:64rem){main:has(.sections){max-width:min(calc(${v('page-max-width')}*2),72rem)}` +
  `.sections{columns:2;column-gap:3rem;margin-top:1.5rem}.sections>section{break-inside:avoid}` +
  `.sections>section:first-child{border-top:1px solid ${v('heading-border-color')};padding-top:1.25rem}}` +
  'table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.25rem .5rem .25rem 0}';

/** "none" leaves a weight to what is around it. */
const block = (styles: Styles, scheme: string): string =>
  `:root{color-scheme:${scheme};${Object.entries(cssVariables(styles, 'portal'))
    .map(([name, value]) => `${name}:${name.endsWith('font-weight') && value === 'none' ? 'inherit' : value}`)
    .join(';')}}`;

export function themeCss({ styles, followsDarkMode, customCss }: Theme, scheme: Scheme = 'device'): string {
  const isDark = followsDarkMode && scheme !== 'light';
  const dark = block(DARK, 'dark');
  return [
    block(styles, 'light'),
    ...(isDark ? [scheme === 'dark' ? dark : `@media(prefers-color-scheme:dark){${dark}}`] : []),
    RULES,
    // What was saved before this was read as strictly does not get out.
    cssProblem(customCss) === undefined ? customCss : '',
  ].join('\n');
}
