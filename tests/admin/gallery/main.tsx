// The gallery of the form engine, for looking at and for the browser tests. ?page=widgets|record|dialog &state=filled|empty|wrong|read &scheme=dark
import '../../../src/admin/ui/theme/theme.css';
import { QueryClient } from '@tanstack/react-query';
import { CoreAdminContext } from 'react-admin';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Link, RouterProvider } from 'react-router-dom';
import validators from 'virtual:gallery/validators';
import { ConfirmHost } from '../../../src/admin/ui/overlays/dialog.tsx';
import { ActionDialog } from '../../../src/admin/form/actions/action-dialog.tsx';
import { EditableForm } from '../../../src/admin/form/page/editable-form.tsx';
import { SchemaForm } from '../../../src/admin/form/engine/schema-form.tsx';
import type { Sending } from '../../../src/admin/form/page/use-save.ts';
import { Notices } from '../../../src/admin/ui/notices/notices.tsx';
import { saveToken } from '../../../src/admin/platform/session/token.ts';
import { CallError } from '../../../src/admin/platform/transport/transport.ts';
import type { ErrorAnswer, JsonObject } from '../../../src/contract/types.ts';
import { services } from './data.ts';
import { filled, pause, record, recordSections, recordValue, widgets, widgetSections, wrong } from './schemas.ts';

interface Server {
  version: number;
  value: JsonObject;
  received: Sending[];
  answerNext?: Partial<ErrorAnswer> & { status: number; delay?: number };
}
declare global {
  interface Window {
    server: Server;
    changed: JsonObject;
    submitted: JsonObject[];
  }
}

const query = new URLSearchParams(location.search);
document.documentElement.dataset.scheme = query.get('scheme') ?? 'light';
const state = query.get('state') ?? 'filled';
const readOnly =
  state === 'read' ? "You don't have permission to change these settings (Payment recovery). Ask an admin of your store for it." : false;
const facts = { 'store.currency': 'USD', 'store.timezone': 'Europe/Berlin' };
window.submitted = [];
// Someone is signed in: only then is there anything to lose by leaving.
saveToken('gallery');

function Widgets() {
  const root = useRef<HTMLDivElement>(null);
  const value = state === 'empty' ? {} : state === 'wrong' ? wrong : filled;
  return (
    <div className="p-page p-page-narrow" ref={root}>
      <div className="p-page-head">
        <h1>Widgets</h1>
      </div>
      {readOnly && (
        <p className="p-banner f-why" data-tone="neutral">
          {readOnly}
        </p>
      )}
      <SchemaForm
        schema={widgets}
        validator={validators.widgets}
        value={value}
        sections={widgetSections}
        services={services}
        facts={facts}
        readOnly={readOnly}
        onChange={now => {
          window.changed = now;
        }}
        onSubmit={result => {
          window.submitted.push(result);
        }}
      >
        {!readOnly && (
          <button
            type="button"
            className="p-btn p-btn-primary"
            id="submit"
            onClick={() => root.current!.querySelector('form')!.requestSubmit()}
          >
            Check
          </button>
        )}
      </SchemaForm>
    </div>
  );
}

// A server in the page, as far as a form meets one: versions, refusals, silence.
window.server = { version: 1, value: recordValue, received: [] };
async function send(what: Sending): Promise<JsonObject> {
  const { server } = window;
  server.received.push(what);
  const special = server.answerNext;
  delete server.answerNext;
  await new Promise(resolve => {
    setTimeout(resolve, special?.delay ?? 30);
  });
  if (special && special.status >= 0 && special.status !== 200) throw new CallError(special.status, special);
  server.version += 1;
  server.value = what.value;
  return { ...what.value, version: server.version };
}

function Record() {
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1>Payment recovery</h1>
        <div className="p-page-actions">
          <Link className="p-btn" to="/elsewhere">
            Somewhere else
          </Link>
        </div>
      </div>
      <EditableForm
        schema={record}
        validator={validators.record}
        value={recordValue}
        version={1}
        name="gallery/record"
        sections={recordSections}
        facts={facts}
        services={services}
        readOnly={readOnly}
        send={send}
      />
    </div>
  );
}

const action = {
  call: 'subscription.pause',
  id: 'pause',
  title: 'Pause subscription',
  confirm: 'No orders are made for {name} until it is resumed.',
  confirmTitle: 'Pause {name}?',
  submit: 'Pause',
  prompt: ['reason', 'until'],
  tone: 'critical' as const,
};
const given = { id: 7 };
function Ask() {
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState('');
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1>Dialog</h1>
      </div>
      <button type="button" className="p-btn" id="open" onClick={() => setOpen(true)}>
        Pause …
      </button>
      <p role="status">{done}</p>
      {isOpen && (
        <ActionDialog
          action={action}
          schema={pause}
          validator={validators.pause}
          given={given}
          record={{ name: '#1042' }}
          facts={facts}
          services={services}
          run={async (value, { key }) => send({ value, emptied: {}, version: undefined, key: key ?? '' })}
          onDone={(_answer, input) => {
            setOpen(false);
            setDone(`Paused ${JSON.stringify(input)}`);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

const pages: Record<string, () => React.ReactElement> = { widgets: Widgets, record: Record, dialog: Ask };
const Page = pages[query.get('page') ?? 'widgets'] ?? Widgets;
const client = new QueryClient();
const frame = (page: React.ReactElement) => (
  <CoreAdminContext queryClient={client}>
    {page}
    <ConfirmHost />
    <Notices />
  </CoreAdminContext>
);
const router = createBrowserRouter([
  {
    path: '/elsewhere',
    element: frame(
      <div className="p-page">
        <h1>Somewhere else</h1>
      </div>,
    ),
  },
  { path: '*', element: frame(<Page />) },
]);
createRoot(document.getElementById('root')!).render(<RouterProvider router={router} />);
