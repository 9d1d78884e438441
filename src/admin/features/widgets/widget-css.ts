// How widgets look, by the CSS variables of their styles: the same rules that pages of the storefront have.
export const WIDGET_CSS = `
:host { display: block; color-scheme: light; }
.w { font: 14px/1.45 system-ui, sans-serif; color: #202223; background: #fff; padding: 16px; box-sizing: border-box; }
.w *, .w *::before { box-sizing: border-box; }
.w p { margin: 0; }
.w button, .w select, .w input { font: inherit; }
.product { display: flex; gap: 12px; align-items: center; margin-bottom: 12px !important; font-weight: 600; }
.product img { width: 48px; height: 48px; object-fit: cover; border-radius: 6px; }
.box {
  background: var(--sub-widget-container-background-color); border: solid var(--sub-widget-container-border-color);
  border-width: var(--sub-widget-container-border-width); border-radius: var(--sub-widget-container-border-radius);
  padding: var(--sub-widget-container-padding); margin: var(--sub-widget-container-margin-top) 0 var(--sub-widget-container-margin-bottom);
  max-width: var(--sub-widget-container-max-width);
}
.heading {
  color: var(--sub-widget-purchase-options-label-color); font-size: var(--sub-widget-purchase-options-label-font-size);
  font-weight: var(--sub-widget-purchase-options-label-font-weight); font-style: var(--sub-widget-purchase-options-label-font-style);
  text-transform: var(--sub-widget-purchase-options-label-text-transform);
  margin-bottom: var(--sub-widget-purchase-options-label-margin-bottom) !important;
}
.options { display: flex; flex-direction: column; gap: var(--sub-widget-purchase-option-gap); }
.options[data-layout="BUTTON_GROUP"] { flex-flow: row wrap; }
.options[data-layout="BUTTON_GROUP"] .option { flex: 1 1 168px; min-width: 0; }
.option {
  background: var(--sub-widget-purchase-option-background-color); border: solid var(--sub-widget-purchase-option-border-color);
  border-width: var(--sub-widget-purchase-option-border-width); padding: var(--sub-widget-purchase-option-padding);
}
.option[data-chosen] {
  background: var(--sub-widget-purchase-option-selected-background-color);
  border-color: var(--sub-widget-purchase-option-selected-border-color);
}
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; cursor: pointer; }
.line input {
  accent-color: var(--sub-widget-radio-accent-color); margin: 0; flex: none;
  width: var(--sub-widget-radio-width); height: var(--sub-widget-radio-height);
}
.name {
  flex: 1 1 auto; color: var(--sub-widget-option-label-color); font-size: var(--sub-widget-option-label-font-size);
  font-weight: var(--sub-widget-option-label-font-weight); font-style: var(--sub-widget-option-label-font-style);
  text-transform: var(--sub-widget-option-label-text-transform);
}
.price {
  color: var(--sub-widget-option-price-color); font-size: var(--sub-widget-option-price-font-size);
  font-weight: var(--sub-widget-option-price-font-weight);
}
.before {
  color: var(--sub-widget-compare-at-price-color); font-size: var(--sub-widget-compare-at-price-font-size);
  font-weight: var(--sub-widget-compare-at-price-font-weight);
}
.each { color: var(--sub-widget-each-label-color); font-size: var(--sub-widget-each-label-font-size); font-weight: 400; }
.prepaid { color: var(--sub-widget-prepaid-price-color); font-size: var(--sub-widget-prepaid-price-font-size); margin-top: 4px !important; }
.badge {
  background: var(--sub-widget-discount-badge-background-color); color: var(--sub-widget-discount-badge-color);
  font-size: var(--sub-widget-discount-badge-font-size); font-weight: var(--sub-widget-discount-badge-font-weight);
  border-radius: var(--sub-widget-discount-badge-border-radius);
  padding: var(--sub-widget-discount-badge-padding) calc(2 * var(--sub-widget-discount-badge-padding)); white-space: nowrap;
}
.plans { margin-top: 10px; display: flex; flex-direction: column; gap: 4px; }
.plans-label {
  color: var(--sub-widget-plan-selector-label-color); font-size: var(--sub-widget-plan-selector-label-font-size);
  font-weight: var(--sub-widget-plan-selector-label-font-weight);
}
.list { position: relative; display: block; }
.list select {
  appearance: none; width: 100%; padding: 0 36px 0 10px; background: var(--sub-widget-plan-selector-background-color);
  color: var(--sub-widget-plan-selector-color); border: 1px solid var(--sub-widget-plan-selector-border-color);
  border-radius: var(--sub-widget-plan-selector-border-radius); height: var(--sub-widget-plan-selector-height);
  font-size: var(--sub-widget-plan-selector-font-size);
}
.list svg {
  position: absolute; right: 10px; top: 50%; transform: translateY(-50%); pointer-events: none; fill: none; stroke-width: 2;
  stroke: var(--sub-widget-dropdown-arrow-stroke-color); width: var(--sub-widget-dropdown-arrow-width);
  height: var(--sub-widget-dropdown-arrow-height);
}
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.buttons button {
  padding: 6px 12px; background: var(--sub-widget-plan-button-background-color); color: var(--sub-widget-plan-button-color);
  border: 1px solid var(--sub-widget-plan-button-border-color); border-radius: var(--sub-widget-plan-button-border-radius);
  font-size: var(--sub-widget-plan-button-font-size); font-weight: var(--sub-widget-plan-button-font-weight);
}
.buttons button[aria-pressed="true"] {
  background: var(--sub-widget-plan-button-selected-background-color); color: var(--sub-widget-plan-button-selected-color);
  border-color: var(--sub-widget-plan-button-selected-border-color); font-weight: var(--sub-widget-plan-button-selected-font-weight);
}
.description {
  color: var(--sub-widget-description-color); font-size: var(--sub-widget-description-font-size);
  line-height: var(--sub-widget-description-line-height); margin-top: 4px !important;
}
.how { margin-top: 10px; }
.how summary {
  color: var(--sub-widget-tooltip-label-color); font-size: var(--sub-widget-tooltip-label-font-size);
  font-weight: var(--sub-widget-tooltip-label-font-weight); cursor: pointer;
}
.how p {
  background: var(--sub-widget-tooltip-box-background-color); color: var(--sub-widget-tooltip-box-color);
  font-size: var(--sub-widget-tooltip-box-font-size); border-radius: var(--sub-widget-tooltip-box-border-radius);
  width: var(--sub-widget-tooltip-box-width); max-width: 100%; padding: 10px 12px; margin-top: 6px;
}
.add {
  width: 100%; border: 0; min-height: 44px; background: var(--sub-widget-add-to-cart-button-background-color);
  color: var(--sub-widget-add-to-cart-button-color); border-radius: var(--sub-widget-add-to-cart-button-border-radius);
  font-size: var(--sub-widget-add-to-cart-button-font-size) !important;
  font-weight: var(--sub-widget-add-to-cart-button-font-weight) !important;
}
.gift, .banner { border-style: solid; display: flex; flex-direction: column; gap: 10px; }
.gift {
  background: var(--sub-widget-gift-container-background-color); border-color: var(--sub-widget-gift-container-border-color);
  border-width: var(--sub-widget-gift-container-border-width); border-radius: var(--sub-widget-gift-container-border-radius);
  padding: var(--sub-widget-gift-container-padding); margin-top: var(--sub-widget-gift-container-margin-top);
}
.gift-name {
  color: var(--sub-widget-gift-label-color); font-size: var(--sub-widget-gift-label-font-size);
  font-weight: var(--sub-widget-gift-label-font-weight); font-style: var(--sub-widget-gift-label-font-style);
  text-transform: var(--sub-widget-gift-label-text-transform); background: none; border: 0; padding: 0; text-align: left;
}
.gift-text {
  color: var(--sub-widget-gift-description-color); font-size: var(--sub-widget-gift-description-font-size);
  line-height: var(--sub-widget-gift-description-line-height);
}
.gift-field { display: flex; flex-direction: column; gap: 4px; }
.gift-field span {
  color: var(--sub-widget-gift-field-label-color); font-size: var(--sub-widget-gift-field-label-font-size);
  font-weight: var(--sub-widget-gift-field-label-font-weight);
}
.gift-field :is(input, textarea) {
  width: 100%; padding: 0 10px; background: var(--sub-widget-gift-field-background-color); color: var(--sub-widget-gift-field-color);
  border: 1px solid var(--sub-widget-gift-field-border-color); border-radius: var(--sub-widget-gift-field-border-radius);
  min-height: var(--sub-widget-gift-field-height); font-size: var(--sub-widget-gift-field-font-size);
}
.gift-button, .banner-button { border: 0; min-height: 40px; padding: 0 16px; }
.gift-button {
  background: var(--sub-widget-gift-button-background-color); color: var(--sub-widget-gift-button-color);
  border-radius: var(--sub-widget-gift-button-border-radius); font-size: var(--sub-widget-gift-button-font-size) !important;
  font-weight: var(--sub-widget-gift-button-font-weight) !important;
}
.banner {
  background: var(--sub-widget-banner-container-background-color); border-color: var(--sub-widget-banner-container-border-color);
  border-width: var(--sub-widget-banner-container-border-width); border-radius: var(--sub-widget-banner-container-border-radius);
  padding: var(--sub-widget-banner-container-padding); margin-top: var(--sub-widget-banner-container-margin-top);
}
.banner-title {
  color: var(--sub-widget-banner-title-color); font-size: var(--sub-widget-banner-title-font-size);
  font-weight: var(--sub-widget-banner-title-font-weight); font-style: var(--sub-widget-banner-title-font-style);
  text-transform: var(--sub-widget-banner-title-text-transform);
}
.banner-text { color: var(--sub-widget-banner-subtitle-color); font-size: var(--sub-widget-banner-subtitle-font-size); }
.banner-choice { display: flex; flex-direction: column; gap: 4px; font-size: 12px; color: var(--sub-widget-banner-subtitle-color); }
.banner-choice select {
  padding: 0 10px; background: var(--sub-widget-banner-select-background-color); color: var(--sub-widget-banner-select-color);
  border: 1px solid var(--sub-widget-banner-select-border-color); border-radius: var(--sub-widget-banner-select-border-radius);
  height: var(--sub-widget-banner-select-height); font-size: var(--sub-widget-banner-select-font-size);
}
.banner-buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.banner-button {
  background: var(--sub-widget-banner-button-background-color); color: var(--sub-widget-banner-button-color);
  border-radius: var(--sub-widget-banner-button-border-radius); font-size: var(--sub-widget-banner-button-font-size) !important;
  font-weight: var(--sub-widget-banner-button-font-weight) !important;
}
.banner-link {
  color: var(--sub-widget-banner-link-color); font-size: var(--sub-widget-banner-link-font-size);
  font-weight: var(--sub-widget-banner-link-font-weight); text-decoration: underline;
}
`;
