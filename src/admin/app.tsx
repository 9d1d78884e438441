// The app: react-admin's headless core around the frame and the screens; the sign-in page stands without the frame.
import { CoreAdminContext } from 'react-admin';
import type { ComponentType, ReactElement } from 'react';
import { createBrowserRouter, useLocation } from 'react-router-dom';
import { RouterProvider } from 'react-router/dom';
import { authProvider } from './platform/session/auth-provider.ts';
import { type Chunk, useChunk } from './platform/chunk.ts';
import { dataProvider } from './platform/transport/data-provider.ts';
import { i18nProvider } from './platform/i18n.ts';
import { NotFound } from './ui/pages/simple.tsx';
import { LoginPage } from './features/session/login.tsx';
import { StartFailed } from './ui/pages/start-failed.tsx';
import { pages } from './platform/routing/page-code.ts';
import { queryClient } from './platform/transport/query-client.ts';
import { Screen } from './screen.tsx';
import { useSessionIfAny } from './platform/session/session.tsx';
import { ErrorBoundary } from './ui/pages/error-page.tsx';
import { Shell } from './shell/shell.tsx';
import { t } from '../domain/text/t.ts';

function Root(): ReactElement {
  return (
    <CoreAdminContext dataProvider={dataProvider} authProvider={authProvider} queryClient={queryClient} i18nProvider={i18nProvider}>
      <Pages />
    </CoreAdminContext>
  );
}

function Pages(): ReactElement {
  const { pathname } = useLocation();
  const session = useSessionIfAny();
  if (pathname === '/login')
    return (
      <ErrorBoundary place={pathname}>
        <LoginPage />
      </ErrorBoundary>
    );
  if (!session) return <StartFailed />;
  if (!session.store.isOnboardingFormComplete)
    return (
      <ErrorBoundary place="onboarding">
        <Onboarding />
      </ErrorBoundary>
    );
  return <Shell>{pathname === '/404' ? <NotFound /> : <Screen />}</Shell>;
}

/** Until its form is saved, a store has this page and no other, whatever the path (S016). */
function Onboarding(): ReactElement {
  const module = useChunk(pages.onboarding as Chunk<{ default: ComponentType }> | undefined);
  return module ? (
    <module.default />
  ) : (
    <div className="p-bare" role="status" aria-label={t`Loading`}>
      <span className="p-spinner" />
    </div>
  );
}

/** Made with the first drawing: until then the start may change the address (to /login, to /404), which the router reads once. */
let router: ReturnType<typeof createBrowserRouter> | undefined;
export const App = (): ReactElement => <RouterProvider router={(router ??= createBrowserRouter([{ path: '*', element: <Root /> }]))} />;
