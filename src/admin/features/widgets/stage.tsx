// The stage of a preview: a part of the page with styles of its own, so that neither the admin's nor the widget's reach the other.
import { useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { JsonObject } from '../../../contract/types.ts';
import { cssVariables } from '../../../domain/widgets/style-attributes.ts';
import { WIDGET_CSS } from './widget-css.ts';

interface StageProps {
  styles: JsonObject;
  /** CSS of the merchant's own, after ours. */
  customCss: string;
  children: ReactNode;
}

/** Values go through the style object and a sheet made by script: the page's policy allows no other. */
export function Stage({ styles, customCss, children }: StageProps) {
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  const [own] = useState(() => new CSSStyleSheet());
  useLayoutEffect(() => {
    if (!host.current) return;
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const ours = new CSSStyleSheet();
    ours.replaceSync(WIDGET_CSS);
    shadow.adoptedStyleSheets = [ours, own];
    setRoot(shadow);
  }, [own]);
  useLayoutEffect(() => own.replaceSync(customCss), [own, customCss]);
  const variables = cssVariables(styles as Parameters<typeof cssVariables>[0]) as CSSProperties;
  return (
    <div ref={host} className="w-host">
      {root &&
        createPortal(
          <div className="w" style={variables}>
            {children}
          </div>,
          root,
        )}
    </div>
  );
}
