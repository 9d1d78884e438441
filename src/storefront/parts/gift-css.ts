// How the offer to give a subscription away looks, by the CSS variables of its styles.
import { BASE_CSS } from './base-css.ts';

export const GIFT_CSS = `${BASE_CSS}
.gift { border-style: solid; display: flex; flex-direction: column; gap: 12px; }
.gift {
  background: var(--sub-widget-gift-container-background-color); border-color: var(--sub-widget-gift-container-border-color);
  border-width: var(--sub-widget-gift-container-border-width); border-radius: var(--sub-widget-gift-container-border-radius);
  padding: var(--sub-widget-gift-container-padding); margin-top: var(--sub-widget-gift-container-margin-top);
}
.gift-name {
  color: var(--sub-widget-gift-label-color); font-size: var(--sub-widget-gift-label-font-size);
  font-weight: var(--sub-widget-gift-label-font-weight); font-style: var(--sub-widget-gift-label-font-style);
  text-transform: var(--sub-widget-gift-label-text-transform); background: none; border: 0; padding: 0; text-align: start;
}
.gift-text {
  color: var(--sub-widget-gift-description-color); font-size: var(--sub-widget-gift-description-font-size);
  line-height: var(--sub-widget-gift-description-line-height);
}
.gift-fields { display: flex; flex-direction: column; gap: 12px; }
.gift-field { display: flex; flex-direction: column; gap: 4px; }
.gift-field span {
  color: var(--sub-widget-gift-field-label-color); font-size: var(--sub-widget-gift-field-label-font-size);
  font-weight: var(--sub-widget-gift-field-label-font-weight);
}
.gift-field :is(input, textarea) {
  width: 100%; padding: 8px 12px; background: var(--sub-widget-gift-field-background-color); color: var(--sub-widget-gift-field-color);
  border: 1px solid var(--sub-widget-gift-field-border-color); border-radius: var(--sub-widget-gift-field-border-radius);
  min-height: var(--sub-widget-gift-field-height); font-size: var(--sub-widget-gift-field-font-size);
}
.gift-button { border: 0; min-height: 44px; padding: 0 16px; cursor: pointer; }
.gift-button {
  background: var(--sub-widget-gift-button-background-color); color: var(--sub-widget-gift-button-color);
  border-radius: var(--sub-widget-gift-button-border-radius); font-size: var(--sub-widget-gift-button-font-size) !important;
  font-weight: var(--sub-widget-gift-button-font-weight) !important;
}
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; cursor: pointer; min-height: 24px; }
.line input { width: 20px; height: 20px; flex: none; accent-color: var(--sub-widget-gift-button-background-color); }
button.gift-name { cursor: pointer; min-height: 24px; text-decoration: underline; text-underline-offset: 3px; }
.w :focus-visible { outline: 2px solid var(--sub-widget-gift-button-background-color); outline-offset: 2px; }
`;
