// A popup: header, body, one primary action. Its chunk brings the sanitiser along. Focus stays in it
// and returns where it was; Escape closes it.
import { type MouseEvent, type ReactElement, useLayoutEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { TabLink } from '../../../ui/tab-link.tsx';
import { useSession } from '../../../platform/session/session.tsx';
import { cleanBody } from './clean.ts';
import { destination, fillText, type PopupData, type Values } from './links.ts';

export interface PopupProps {
  popup: PopupData;
  values: Values;
  /** Closed without its action. */
  onDismiss: () => void;
  /** Its action, or a link of its text, was used. */
  onDone: () => void;
}

export function Popup({ popup, values, onDismiss, onDone }: PopupProps): ReactElement {
  const { store } = useSession();
  const leads = destination(popup, values, store.storefrontWidgetVersion);
  const text = fillText(popup.primary_cta_text, values);
  return (
    <Dialog
      title={fillText(popup.header, values)}
      onClose={onDismiss}
      foot={
        leads.kind === 'tab' ? (
          <TabLink href={leads.href} text={text} onClick={onDone} />
        ) : (
          <Link className="p-btn p-btn-primary" to={leads.to} onClick={onDone}>
            {text}
          </Link>
        )
      }
    >
      <Body html={popup.body} values={values} onDone={onDone} />
    </Dialog>
  );
}

function Body({ html, values, onDone }: { html: string; values: Values; onDone: () => void }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useLayoutEffect(() => {
    box.current?.replaceChildren(cleanBody(html, values));
  }, [html, values]);
  /** A link of the text to a page of the admin goes there without loading the admin again. */
  const onClick = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a[href]');
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.getAttribute('target') !== '_blank') {
      event.preventDefault();
      void navigate(link.getAttribute('href') ?? '/');
    }
    onDone();
  };
  return <div ref={box} className="p-popup-body" onClick={onClick} />;
}
