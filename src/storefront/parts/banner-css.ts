// How the banner for subscribers looks, by the CSS variables of its styles.
import { BASE_CSS } from './base-css.ts';

export const BANNER_CSS = `${BASE_CSS}
.banner { border-style: solid; display: flex; flex-direction: column; gap: 10px; }
.banner-text:empty { display: none; }
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
  padding: 0 12px; background: var(--sub-widget-banner-select-background-color); color: var(--sub-widget-banner-select-color);
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
.banner-button { border: 0; min-height: 44px; padding: 0 16px; cursor: pointer; }
.banner-button:disabled { cursor: default; opacity: 0.55; }
.w :focus-visible { outline: 2px solid var(--sub-widget-banner-button-background-color); outline-offset: 2px; }
`;
