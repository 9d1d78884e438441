// The look of the shop: the theme of the store's customer portal, with what a shop needs besides.
import { createHash } from 'node:crypto';
import { themeCss } from '../../platform/portal-look/theme-css.ts';
import type { Theme } from '../../platform/portal-look/theme.ts';

const v = (name: string): string => `var(--sub-portal-${name})`;
const LINE = `1px solid ${v('heading-border-color')}`;
const RULES = `
main{max-width:72rem;padding:1.5rem 1.25rem 4rem;min-height:60vh}
article{background:none;border:0;border-radius:0;padding:0}
#content:focus{outline:0}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:.5rem;z-index:2;background:${v('card-background-color')};padding:.75rem}
.top{border-bottom:${LINE};background:${v('card-background-color')}}
.top>div,.end>div{max-width:72rem;margin:0 auto;padding:.5rem 1.25rem;display:flex;flex-wrap:wrap;gap:.25rem 1rem;
  align-items:center;justify-content:space-between}
.top nav,.end nav{margin:0;gap:.25rem}
.brand{font-size:1.25rem;font-weight:700;letter-spacing:-.01em;text-decoration:none;color:${v('title-color')};display:inline-flex;
  align-items:center;min-height:44px}
.brand img{margin:0;max-height:40px;width:auto;border-radius:0}
.top nav a,.end nav a{border:0;background:none;padding:0 .625rem;color:${v('title-color')}}
.top nav a:hover,.end nav a:hover{text-decoration:underline}
.end nav a[aria-current]{text-decoration:underline}
.end nav{margin-inline-start:-.625rem}
.count{display:inline-block;min-width:1.375rem;line-height:1.375rem;border-radius:1rem;text-align:center;
  margin-inline-start:.375rem;font-size:.8125rem;background:${v('button-background-color')};color:${v('button-color')}}
.end{border-top:${LINE};font-size:.875rem}
.end p{color:${v('hint-color')};margin:.75rem 0}
h1{font-size:clamp(1.625rem,4vw,2.25rem);letter-spacing:-.02em;line-height:1.15;margin:.5rem 0 1rem}
h2{font-size:1.0625rem}
h2.first{border:0;margin-top:0;padding-top:0}
.grid{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(10rem,44%),1fr));
  gap:1.75rem 1rem}
@media(min-width:50rem){.grid{grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:2.5rem 1.5rem}}
.card{display:block;text-decoration:none;color:inherit;border-radius:12px}
.card h2{border:0;margin:.75rem 0 .125rem;padding:0;font-size:1rem;color:${v('title-color')}}
.card:hover h2{text-decoration:underline}
.card p{margin:0;font-size:.9375rem}
.card .quiet{font-size:.8125rem}
.tile,.hero{display:block;width:100%;aspect-ratio:1;object-fit:cover;border-radius:12px;margin:0;
  background:${v('heading-border-color')}}
.hero{aspect-ratio:4/3}
.thumb{flex:none;width:72px;height:72px;object-fit:cover;border-radius:8px;margin:0;background:${v('heading-border-color')}}
.blank{opacity:.4}
.two{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
@media(min-width:56rem){.two{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr);gap:3.5rem;align-items:start}.hero{
  aspect-ratio:1}.two.pay{grid-template-columns:minmax(0,1.3fr) minmax(0,1fr)}.aside{position:sticky;top:1rem}}
.panel{background:${v('card-background-color')};border:${v('card-border-width')} solid ${v('card-border-color')};
  border-radius:12px;padding:1.25rem;margin:0 0 1.25rem}
.panel>:last-child{margin-bottom:0}
.price{font-size:1.25rem;font-weight:600;color:${v('title-color')}}
.was{color:${v('hint-color')};text-decoration:line-through;font-weight:400;margin-inline-start:.375rem}
legend.seen{position:static;width:auto;height:auto;clip-path:none;overflow:visible;font-weight:600;padding:0;margin:0 0 .5rem;
  color:${v('title-color')}}
.option{display:grid;grid-template-columns:20px 1fr auto;gap:.125rem .75rem;align-items:start;padding:.875rem 1rem;margin:0;
  border:1px solid ${v('field-border-color')};font-weight:400;cursor:pointer;border-radius:12px;
  background:${v('card-background-color')}}
.option+.option{margin-top:.5rem}
.group{margin:1rem 0 .375rem;font-size:.875rem;color:${v('hint-color')}}
.option input{grid-row:span 2;width:20px;height:20px;min-height:20px;margin:.1rem 0 0;
  accent-color:${v('button-background-color')}}
.option b{font-weight:600;color:${v('title-color')}}
.option .cost{text-align:end;font-weight:600;color:${v('title-color')}}
.option small{grid-column:2/4;color:${v('hint-color')};font-size:.875rem}
.option:has(:checked){box-shadow:inset 0 0 0 2px ${v('button-background-color')};position:relative}
.option:has(:focus-visible){outline:3px solid ${v('link-color')};outline-offset:2px}
.pills{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1.25rem}
.pills a{display:inline-flex;align-items:center;min-height:44px;padding:0 1rem;border:1px solid ${v('field-border-color')};
  border-radius:22px;text-decoration:none;color:${v('title-color')}}
.pills a[aria-current]{background:${v('title-color')};color:${v('page-background-color')};border-color:${v('title-color')}}
.pills a.out{text-decoration:line-through;color:${v('hint-color')}}
.row{display:flex;gap:.75rem;align-items:end}
.row>*{margin-bottom:0}
.row input[type=number]{width:6rem}
.row .wide{flex:1}
.line{display:flex;gap:1rem;padding:1.25rem 0;border-top:${LINE}}
.line:first-child{border-top:0;padding-top:0}
.panel>.plain>.line:last-child{padding-bottom:0}
.line .about{flex:1;min-width:0}
.line label,.row input{margin:0}
.option .cost{max-width:8rem}
.badge{white-space:nowrap}
fieldset+.row,perennial-widget+.row,[data-perennial-product-id]+.row{margin-top:1.25rem}
.line h2{border:0;margin:0;padding:0;font-size:1rem}
.line p{margin:.125rem 0}
.line .sum{text-align:end;white-space:nowrap;font-weight:600;color:${v('title-color')}}
.line form{display:inline-flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem .5rem 0 0}
.line input{width:4.5rem;margin:0}
button.slim{width:auto;padding:0 1rem;min-height:44px}
button.text{width:auto;background:none;color:${v('link-color')};padding:0 .25rem;text-decoration:underline;font-weight:400;
  border:0}
ul.plain{list-style:none;margin:0;padding:0}
dl.sums{display:grid;grid-template-columns:1fr auto;gap:.5rem 0;margin:0}
dl.sums dd{margin:0;text-align:end;padding-inline-start:1rem}
dl.sums .all{font-weight:700;font-size:1.125rem;color:${v('title-color')};padding-top:.75rem;border-top:${LINE}}
a.go,button.go{display:flex;align-items:center;justify-content:center;min-height:52px;border-radius:${v('button-border-radius')};
  background:${v('button-background-color')};color:${v('button-color')};font-weight:600;text-decoration:none;margin:1rem 0 0;
  width:100%;box-sizing:border-box}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:0 .75rem}
.fields>div{grid-column:1/-1}
.fields>.half{grid-column:auto}
@media(max-width:26rem){.fields>.half{grid-column:1/-1}.line{display:grid;grid-template-columns:72px 1fr;gap:0 1rem}
  .line .thumb{grid-row:1/3}.line .about{grid-area:1/2}.line .sum{grid-column:2;margin-top:.375rem}
  .line .about:has(form)+.sum{grid-row:1;align-self:end;justify-self:end;line-height:1.375rem;margin:0 0 .625rem}
  .line label{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
  .top nav{gap:0}.top nav a{padding:0 .5rem;font-size:.9375rem}.top nav a:first-child{padding-inline-start:0}}
button.choose{display:grid;grid-template-columns:1fr auto;text-align:start;background:${v('card-background-color')};
  color:${v('text-color')};border:1px solid ${v('field-border-color')};border-radius:12px;padding:.75rem 1rem;margin:0 0 .5rem;
  font-weight:400}
button.choose[aria-pressed=true]{box-shadow:inset 0 0 0 2px ${v('button-background-color')}}
button.choose small{grid-column:1/3;color:${v('hint-color')}}
.badge{display:inline-block;font-size:.8125rem;font-weight:600;padding:.125rem .5rem;border-radius:1rem;
  background:${v('message-background-color')};color:${v('message-color')}}
.empty{text-align:center;padding:3rem 0}
.empty a.go{max-width:20rem;margin:1.5rem auto 0}
.steps{display:flex;gap:.5rem;list-style:none;padding:0;margin:0 0 .5rem;font-size:.875rem;color:${v('hint-color')}}
.steps [aria-current]{color:${v('title-color')};font-weight:600}
.steps li+li::before{content:"›";margin-inline-end:.5rem}
.refused[role]{padding:.75rem 1rem;border-radius:8px}
.prose{max-width:38rem}
.row+.prose,form+.prose{margin-top:1.5rem}
fieldset.panel{padding:1.25rem}
fieldset.panel legend{float:inline-start;width:100%;margin-bottom:.75rem;font-size:1.0625rem}
fieldset.panel legend+*{clear:both}
.row.pieces{margin-top:1rem}
.fields [type=date]{width:auto;min-width:12rem}
a.give{display:flex;align-items:center;justify-content:center;min-height:44px;margin:1rem 0 0;border-radius:${v('button-border-radius')};
  border:1px solid ${v('field-border-color')};color:${v('title-color')};font-weight:600;text-decoration:none}
a.give:hover{border-color:${v('title-color')}}
perennial-gift+.row{margin-top:1rem}
.line-links{display:flex;gap:1rem;align-items:center;margin-top:.25rem}
.line-links form{margin:0}
a.text{display:inline-flex;align-items:center;min-height:44px;color:${v('link-color')}}
ol.then{margin:0;padding-inline-start:1.25rem}
ol.then li{margin:.25rem 0}
ul.inside{list-style:none;margin:.25rem 0 .5rem;padding:0;font-size:.9375rem}
.band{width:100%;height:clamp(9rem,26vw,20rem);object-fit:cover;border-radius:12px;margin:0 0 1.25rem}
form.box{margin-top:1.25rem}
form.box .card h3{font-size:1rem;margin:.625rem 0 .125rem;padding:0}
.pick{display:flex;gap:.5rem;align-items:center;justify-content:space-between;margin:.375rem 0 0;font-size:.875rem}
.pick input{width:4.25rem;margin:0;flex:none}
form.box section+section{margin-top:2rem}
form.box fieldset{margin-bottom:1.25rem}
@media(min-width:40rem){.sizes{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.5rem}
  .sizes .option+.option{margin:0}
  .sizes legend{grid-column:1/-1}}
ul.refused[role]{list-style:none;background:${v('message-background-color')};margin:1rem 0}
.refused[role] li+li{margin-top:.25rem}
details.try{font-size:.875rem;margin:0 0 1rem}`;
const RULES_VERSION = createHash('sha256').update(RULES).digest('hex').slice(0, 10);

/** Where the CSS of a store's shop is: an address of its own for each look, as browsers keep it for good. */
export const stylePath = (storeId: number, theme: Pick<Theme, 'nanoId' | 'version'>): string =>
  `/shop/${storeId}/style/${theme.nanoId || 'plain'}-${theme.version}-${RULES_VERSION}.css`;

/** A stand of colours of a store without words for them is the portal's. */
export const shopCss = (theme: Theme): string => `${themeCss(theme)}\n${RULES}`;
