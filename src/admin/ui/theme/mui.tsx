// MUI dressed in the product's tokens, for what floats (menus, dialogs, popovers). Arrives with the chunks
// that use it, never before the first list.
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';
import { nonce } from '../../platform/transport/config.ts';

const cache = createCache({ key: 'p', ...(nonce() ? { nonce: nonce() } : {}) });

const v = (name: string): string => `var(--p-${name})`;
const paper = { backgroundColor: v('surface'), backgroundImage: 'none', color: v('text') };

const theme = createTheme({
  cssVariables: { nativeColor: true, cssVarPrefix: 'm', rootSelector: ':root', disableCssColorScheme: true },
  palette: {
    primary: { main: v('brand'), contrastText: v('on-brand') },
    error: { main: v('danger'), contrastText: v('on-danger') },
    text: { primary: v('text'), secondary: v('text-2'), disabled: v('text-3') },
    divider: v('border'),
    background: { default: v('bg'), paper: v('surface') },
  },
  typography: { fontFamily: v('font'), fontSize: 13, htmlFontSize: 13, button: { textTransform: 'none', fontWeight: 500 } },
  shape: { borderRadius: 8 },
  spacing: 4,
  // MUI's type lists 25 literals
  shadows: Array.from({ length: 25 }, (_, i) => (i === 0 ? 'none' : v(i > 12 ? 'shadow-l' : 'shadow-m'))) as never,
  transitions: {
    duration: { shortest: 80, shorter: 100, short: 120, standard: 140, complex: 180, enteringScreen: 140, leavingScreen: 100 },
  },
  components: {
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiPaper: { styleOverrides: { root: paper } },
    MuiMenu: {
      defaultProps: { disableScrollLock: true, transitionDuration: 100 },
      styleOverrides: { paper: { borderRadius: 10, boxShadow: v('shadow-m'), marginTop: 4, minWidth: 200 }, list: { padding: 4 } },
    },
    MuiMenuItem: {
      styleOverrides: {
        root: {
          minHeight: 32,
          padding: '6px 10px',
          borderRadius: 6,
          gap: 10,
          fontSize: 13,
          lineHeight: '20px',
          '&:hover, &.Mui-focusVisible': { backgroundColor: v('surface-3') },
          '&.Mui-selected, &.Mui-selected:hover': { backgroundColor: v('brand-soft'), color: v('on-brand-soft') },
          '&.Mui-disabled': { opacity: 0.5 },
        },
      },
    },
    MuiPopover: {
      defaultProps: { disableScrollLock: true, transitionDuration: 100 },
      styleOverrides: { paper: { borderRadius: 10, boxShadow: v('shadow-m'), marginTop: 4, maxWidth: 'min(440px, calc(100vw - 24px))' } },
    },
    MuiDialog: {
      defaultProps: { transitionDuration: 140 },
      styleOverrides: {
        paper: { borderRadius: 12, boxShadow: v('shadow-l'), margin: 16, maxHeight: 'calc(100dvh - 32px)', width: 'calc(100% - 32px)' },
      },
    },
    MuiBackdrop: { styleOverrides: { root: { backgroundColor: v('backdrop') }, invisible: { backgroundColor: 'transparent' } } },
    MuiTooltip: {
      styleOverrides: { tooltip: { backgroundColor: v('text'), color: v('surface'), fontSize: 12, padding: '4px 8px', borderRadius: 6 } },
    },
    MuiTabs: { styleOverrides: { indicator: { backgroundColor: v('brand') } } },
    MuiTab: { defaultProps: { disableRipple: true }, styleOverrides: { root: { textTransform: 'none', minHeight: 44, fontSize: 13 } } },
    MuiAutocomplete: { styleOverrides: { paper: { boxShadow: v('shadow-m'), borderRadius: 10 }, listbox: { padding: 4 } } },
    MuiButton: { defaultProps: { disableElevation: true }, styleOverrides: { root: { borderRadius: 8, minHeight: 32 } } },
  },
});

/** Put around anything that uses MUI; renders nothing of its own. */
export const Mui = ({ children }: { children: ReactNode }): ReactElement => (
  <CacheProvider value={cache}>
    <ThemeProvider theme={theme}>{children}</ThemeProvider>
  </CacheProvider>
);
