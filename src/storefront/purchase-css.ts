// How purchase options look, by the CSS variables of their styles (`src/domain/widgets/style-attributes.ts`).
export const PURCHASE_CSS = `
:host { display: block; color-scheme: light; text-align: start; }
:host([hidden]) { display: none; }
.w, .w *, .w *::before { box-sizing: border-box; }
.w [hidden] { display: none !important; }
.w { font-size: 14px; line-height: 1.45; container-type: inline-size; }
.w p, .w fieldset, .w legend { margin: 0; padding: 0; border: 0; min-width: 0; }
.w button, .w select, .w input { font: inherit; letter-spacing: inherit; }
.w :focus-visible { outline: 2px solid var(--sub-widget-radio-accent-color); outline-offset: 2px; }
.box {
  background: var(--sub-widget-container-background-color); border: solid var(--sub-widget-container-border-color);
  border-width: var(--sub-widget-container-border-width); border-radius: var(--sub-widget-container-border-radius);
  padding: var(--sub-widget-container-padding); margin: var(--sub-widget-container-margin-top) 0 var(--sub-widget-container-margin-bottom);
  max-width: var(--sub-widget-container-max-width);
}
.heading {
  color: var(--sub-widget-purchase-options-label-color); font-size: var(--sub-widget-purchase-options-label-font-size);
  font-weight: var(--sub-widget-purchase-options-label-font-weight); font-style: var(--sub-widget-purchase-options-label-font-style);
  text-transform: var(--sub-widget-purchase-options-label-text-transform); line-height: 1.3;
  margin-bottom: var(--sub-widget-purchase-options-label-margin-bottom) !important;
}
.options { display: flex; flex-direction: column; gap: var(--sub-widget-purchase-option-gap); }
.option {
  background: var(--sub-widget-purchase-option-background-color); border: solid var(--sub-widget-purchase-option-border-color);
  border-width: var(--sub-widget-purchase-option-border-width); padding: var(--sub-widget-purchase-option-padding);
  border-radius: calc(var(--sub-widget-container-border-radius) * 0.75); transition: border-color 0.15s, background-color 0.15s;
}
.option[data-chosen] {
  background: var(--sub-widget-purchase-option-selected-background-color);
  border-color: var(--sub-widget-purchase-option-selected-border-color);
}
.line {
  display: grid; grid-template-columns: auto minmax(min-content, 1fr) auto; align-items: center; gap: 4px 10px; cursor: pointer;
  min-height: 24px;
}
.what { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; min-width: 0; }
.line input {
  accent-color: var(--sub-widget-radio-accent-color); margin: 0; flex: none; cursor: pointer;
  width: var(--sub-widget-radio-width); height: var(--sub-widget-radio-height);
}
.name {
  flex: 0 1 auto; color: var(--sub-widget-option-label-color); font-size: var(--sub-widget-option-label-font-size);
  font-weight: var(--sub-widget-option-label-font-weight); font-style: var(--sub-widget-option-label-font-style);
  text-transform: var(--sub-widget-option-label-text-transform);
}
.price {
  color: var(--sub-widget-option-price-color); font-size: var(--sub-widget-option-price-font-size);
  font-weight: var(--sub-widget-option-price-font-weight); font-variant-numeric: tabular-nums; text-align: end;
}
.before {
  color: var(--sub-widget-compare-at-price-color); font-size: var(--sub-widget-compare-at-price-font-size);
  font-weight: var(--sub-widget-compare-at-price-font-weight);
}
.each { color: var(--sub-widget-each-label-color); font-size: var(--sub-widget-each-label-font-size); font-weight: 400; }
.prepaid { color: var(--sub-widget-prepaid-price-color); font-size: var(--sub-widget-prepaid-price-font-size); }
.badge {
  background: var(--sub-widget-discount-badge-background-color); color: var(--sub-widget-discount-badge-color);
  font-size: var(--sub-widget-discount-badge-font-size); font-weight: var(--sub-widget-discount-badge-font-weight); line-height: 1.2;
  border-radius: var(--sub-widget-discount-badge-border-radius);
  padding: var(--sub-widget-discount-badge-padding) calc(2 * var(--sub-widget-discount-badge-padding)); white-space: nowrap;
}
.badge:empty, .before:empty { display: none; }
.more { padding-inline-start: calc(var(--sub-widget-radio-width) + 10px); display: flex; flex-direction: column; gap: 6px; }
.more > :first-child { margin-top: 8px; }
.plans { display: flex; flex-direction: column; gap: 4px; }
.plans-label {
  color: var(--sub-widget-plan-selector-label-color); font-size: var(--sub-widget-plan-selector-label-font-size);
  font-weight: var(--sub-widget-plan-selector-label-font-weight);
}
.list { position: relative; display: block; }
.list select {
  appearance: none; width: 100%; margin: 0; padding-block: 0; padding-inline: 12px 36px; cursor: pointer; text-overflow: ellipsis;
  background: var(--sub-widget-plan-selector-background-color);
  color: var(--sub-widget-plan-selector-color); border: 1px solid var(--sub-widget-plan-selector-border-color);
  border-radius: var(--sub-widget-plan-selector-border-radius); height: var(--sub-widget-plan-selector-height);
  font-size: var(--sub-widget-plan-selector-font-size);
}
.list svg {
  position: absolute; inset-inline-end: 12px; top: 50%; transform: translateY(-50%); pointer-events: none; fill: none; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round;
  stroke: var(--sub-widget-dropdown-arrow-stroke-color); width: var(--sub-widget-dropdown-arrow-width);
  height: var(--sub-widget-dropdown-arrow-height);
}
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.buttons button {
  padding: 6px 12px; min-height: 36px; cursor: pointer;
  background: var(--sub-widget-plan-button-background-color); color: var(--sub-widget-plan-button-color);
  border: 1px solid var(--sub-widget-plan-button-border-color); border-radius: var(--sub-widget-plan-button-border-radius);
  font-size: var(--sub-widget-plan-button-font-size); font-weight: var(--sub-widget-plan-button-font-weight);
}
.buttons button[aria-pressed="true"] {
  background: var(--sub-widget-plan-button-selected-background-color); color: var(--sub-widget-plan-button-selected-color);
  border-color: var(--sub-widget-plan-button-selected-border-color); font-weight: var(--sub-widget-plan-button-selected-font-weight);
}
.description {
  color: var(--sub-widget-description-color); font-size: var(--sub-widget-description-font-size);
  line-height: var(--sub-widget-description-line-height);
}
.how { position: relative; margin-top: 12px; width: fit-content; max-width: 100%; }
.how summary {
  color: var(--sub-widget-tooltip-label-color); font-size: var(--sub-widget-tooltip-label-font-size);
  font-weight: var(--sub-widget-tooltip-label-font-weight); cursor: pointer; list-style: none; min-height: 24px;
  text-decoration: underline; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); text-underline-offset: 3px;
}
.how summary::-webkit-details-marker { display: none; }
.how p {
  position: absolute; z-index: 2; inset-inline-start: 0; top: 100%;
  background: var(--sub-widget-tooltip-box-background-color); color: var(--sub-widget-tooltip-box-color);
  font-size: var(--sub-widget-tooltip-box-font-size); border-radius: var(--sub-widget-tooltip-box-border-radius);
  width: var(--sub-widget-tooltip-box-width); max-width: calc(100cqi - 32px); padding: 10px 12px; margin-top: 4px;
  box-shadow: 0 4px 16px rgb(0 0 0 / 18%); white-space: pre-line;
}
.sold-out { color: var(--sub-widget-description-color); font-size: var(--sub-widget-option-label-font-size); margin-top: 12px; }
.add {
  width: 100%; border: 0; min-height: 44px; cursor: pointer; background: var(--sub-widget-add-to-cart-button-background-color);
  color: var(--sub-widget-add-to-cart-button-color); border-radius: var(--sub-widget-add-to-cart-button-border-radius);
  font-size: var(--sub-widget-add-to-cart-button-font-size) !important;
  font-weight: var(--sub-widget-add-to-cart-button-font-weight) !important;
}
.add:disabled { cursor: default; opacity: 0.55; }
/* Beside a long name there is no room for two amounts. */
@container (max-width: 380px) { .price bdi:first-child { display: block; } }
@container (min-width: 420px) {
  .options[data-layout="BUTTON_GROUP"] { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
  .options[data-layout="BUTTON_GROUP"] .line { grid-template-columns: auto minmax(0, 1fr); align-items: start; }
  .options[data-layout="BUTTON_GROUP"] .price { grid-column: 2; text-align: start; }
  .options[data-layout="BUTTON_GROUP"] .more { padding-inline-start: 0; }
}
@media (prefers-reduced-motion: reduce) { .option { transition: none; } }
`;
