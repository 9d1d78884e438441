// How the filling of a box looks, by the merchant's branding (`boxVariables`).
import { BASE_CSS } from './base-css.ts';

export const BOX_CSS = `${BASE_CSS}
.w { container-type: inline-size; max-width: var(--box-width); margin-inline: auto; font-family: var(--box-font); font-size: 1rem;
  background: var(--box-background); color: var(--box-color); border-radius: var(--box-radius); padding: clamp(0px, 2cqi, 1.5rem); }
.w :is(h1, h2, h3) { color: var(--box-heading); margin: 0; line-height: 1.25; letter-spacing: -0.01em; }
.w h1 { font-size: clamp(1.625rem, 5cqi, 2.25rem); }
.w h2 { font-size: 1.25rem; }
.w h3 { font-size: 1rem; }
.w ul { list-style: none; margin: 0; padding: 0; }
.w s { font-weight: 400; opacity: 0.75; margin-inline-start: 0.375rem; }
.w fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.w :focus-visible { outline: 3px solid var(--box-button); outline-offset: 2px; }
.quiet { opacity: 0.8; font-size: 0.875rem; }
.lines { white-space: pre-line; max-width: 42rem; }
header { display: flex; flex-direction: column; gap: 0.75rem; margin-block-end: 1.5rem; }
header.centered { align-items: center; text-align: center; }
.hero { width: 100%; height: min(var(--box-hero), 40vw); object-fit: cover; border-radius: var(--box-radius); }
.parts { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
.main { display: flex; flex-direction: column; gap: 1.75rem; min-width: 0; }
.choice { display: flex; flex-direction: column; gap: 0.5rem; }
.legend { font-weight: 600; color: var(--box-heading); padding: 0; margin-block-end: 0.5rem; }
.tabs { display: grid; gap: 0.5rem; grid-template-columns: repeat(auto-fit, minmax(min(8.5rem, 100%), 1fr)); }
.tab { position: relative; display: flex; flex-wrap: wrap; align-items: center; align-content: center; gap: 0 0.5rem; min-height: 44px;
  padding: 0.625rem 0.875rem; border: 1px solid color-mix(in srgb, currentColor 28%, transparent); border-radius: var(--box-radius);
  cursor: pointer; transition: border-color 0.15s, background-color 0.15s; }
.tab:has(:checked) { border-color: var(--box-button); box-shadow: inset 0 0 0 1px var(--box-button);
  background: color-mix(in srgb, var(--box-button) 7%, transparent); }
.tab:has(:focus-visible) { outline: 3px solid var(--box-button); outline-offset: 2px; }
.tab input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.tab b { flex: 1 1 min-content; font-weight: 600; color: var(--box-heading); }
.tab small { flex-basis: 100%; font-size: 0.8125rem; opacity: 0.8; }
.badge { align-self: center; font-size: 0.75rem; font-weight: 700; line-height: 1.4; padding: 0.0625rem 0.4375rem; border-radius: 1rem;
  background: var(--box-button); color: var(--box-button-color); white-space: nowrap; }
.w select { min-height: 44px; width: 100%; padding: 0 0.625rem; border-radius: calc(var(--box-radius) * 0.75); color: inherit;
  background: var(--box-background); border: 1px solid color-mix(in srgb, currentColor 40%, transparent); text-overflow: ellipsis; }
.filters { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.filters label { display: flex; flex-direction: column; gap: 0.25rem; flex: 1 1 9rem; max-width: 16rem; font-size: 0.875rem; }
.band { width: 100%; aspect-ratio: 4; object-fit: cover; border-radius: var(--box-radius); margin-block-end: 0.75rem; }
.grid { display: grid; grid-template-columns: repeat(var(--box-narrow), minmax(0, 1fr)); gap: 1.25rem 0.75rem;
  margin-block-start: 0.875rem !important; }
.card { display: flex; flex-direction: column; gap: 0.25rem; min-width: 0; }
.card > :is(img, .blank) { width: 100%; aspect-ratio: var(--box-ratio); object-fit: cover; border-radius: var(--box-radius);
  background: color-mix(in srgb, currentColor 8%, transparent); margin-block-end: 0.375rem; transition: box-shadow 0.15s; }
.card[data-chosen] > :is(img, .blank) { box-shadow: 0 0 0 2px var(--box-background), 0 0 0 4px var(--box-button); }
.card[data-out] > :is(img, .blank) { filter: grayscale(1); opacity: 0.55; }
.card .price { font-weight: 600; }
.card select { margin-block-start: 0.25rem; }
.card h3 { overflow-wrap: anywhere; }
.act { margin-block-start: auto; padding-block-start: 0.5rem; }
.add, .cart { width: 100%; min-height: 44px; border: 0; border-radius: var(--box-radius); font-weight: 600 !important; cursor: pointer; }
.add { background: var(--box-button); color: var(--box-button-color); }
.add:disabled, .step:disabled { opacity: 0.45; cursor: not-allowed; }
.card[data-out] .add { background: transparent; color: inherit; border: 1px solid currentColor; }
.stepper { display: grid; grid-template-columns: 44px 1fr 44px; align-items: center; border: 1px solid var(--box-button);
  border-radius: var(--box-radius); overflow: hidden; }
.stepper output { text-align: center; font-weight: 600; }
.step { min-height: 42px; border: 0; background: transparent; color: var(--box-button); cursor: pointer; display: grid;
  place-items: center; }
.step svg { width: 16px; height: 16px; stroke: currentColor; stroke-width: 2; fill: none; }
.w summary { cursor: pointer; min-height: 24px; width: max-content; padding: 0 0.5rem; font-weight: 700; list-style: none; }
.summary { background: var(--box-summary); border-radius: var(--box-radius); padding: 1rem; display: flex; flex-direction: column;
  gap: 0.625rem; position: sticky; bottom: 0; z-index: 1; box-shadow: 0 -0.5rem 1.5rem rgb(0 0 0 / 10%); }
.head { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.head h2 { font-size: 1.0625rem; }
.count { font-weight: 600; white-space: nowrap; }
.bar { height: 8px; border-radius: 4px; background: var(--box-track); overflow: hidden; }
.fill { height: 100%; border-radius: 4px; background: var(--box-bar); transition: inline-size 0.2s; }
.status { font-size: 0.9375rem; }
.status[data-done] { font-weight: 600; }
.summary .inside { font-size: 0.9375rem; display: flex; flex-direction: column; gap: 0.125rem; }
.saved { display: flex; flex-direction: column; font-size: 0.875rem; font-weight: 600; color: var(--box-button); }
.total { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.total b { font-size: 1.25rem; color: var(--box-heading); }
.alarm { color: #9b2c1f; background: #fbe9e6; border-radius: calc(var(--box-radius) * 0.75); padding: 0.625rem 0.75rem !important;
  font-size: 0.9375rem; }
.cart { background: var(--box-cart); color: var(--box-cart-color); min-height: 52px; }
@container (max-width: 47.99rem) {
  .summary .inside, .summary .head h2, .total > :first-child { display: none; }
  .summary { display: grid; grid-template-columns: minmax(0, 1fr) auto; margin-inline: -0.25rem; padding: 0.625rem 0.875rem;
  gap: 0.25rem 0.75rem; align-items: center; }
  .summary > * { grid-column: 1 / -1; }
  .head { grid-column: 2; grid-row: 1; justify-content: flex-end; }
  .bar { grid-column: 1; grid-row: 1; }
  .status { grid-column: 1; }
  .status:empty { display: none; }
  .total { grid-column: 2; grid-row: 2; justify-content: flex-end; }
  .saved { font-size: 0.8125rem; }
  .cart { min-height: 48px; }
}
@container (min-width: 48rem) {
  .grid { grid-template-columns: repeat(var(--box-wide), minmax(0, 1fr)); gap: 2rem 1.25rem; }
  .beside .parts { grid-template-columns: minmax(0, 1fr) minmax(16rem, 20rem); gap: 2.5rem; align-items: start; }
  .beside .summary { top: 1rem; bottom: auto; box-shadow: none; padding: 1.25rem; }
}
@media (prefers-reduced-motion: reduce) { .w * { transition: none !important; } }
`;
