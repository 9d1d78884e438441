// The app: react-admin's headless core around the frame and the screens; the sign-in page stands without the frame.
import { CoreAdminContext } from 'ra-core';
import type { ReactElement } from 'react';
import { createBrowserRouter, RouterProvider, useLocation } from 'react-router';
import { authProvider } from './auth-provider.ts';
import { dataProvider } from './data-provider.ts';
import { i18nProvider } from './i18n.ts';
import { NotFound } from './pages/simple.tsx';
import { LoginPage } from './pages/login.tsx';
import { StartFailed } from './pages/start-failed.tsx';
import { queryClient } from './query-client.ts';
import { Screen } from './screen.tsx';
import { currentSession } from './session.tsx';
import { ErrorBoundary } from './shell/error-page.tsx';
import { Shell } from './shell/shell.tsx';

function Root(): ReactElement {
  return (
    <CoreAdminContext dataProvider={dataProvider} authProvider={authProvider} queryClient={queryClient} i18nProvider={i18nProvider}>
      <Pages />
    </CoreAdminContext>
  );
}

function Pages(): ReactElement {
  const { pathname } = useLocation();
  if (pathname === '/login') return <ErrorBoundary place={pathname}><LoginPage /></ErrorBoundary>;
  if (!currentSession()) return <StartFailed />;
  return <Shell>{pathname === '/404' ? <NotFound /> : <Screen />}</Shell>;
}

/** Made with the first drawing: until then the start may change the address (to /login, to /404), which the router reads once. */
let router: ReturnType<typeof createBrowserRouter> | undefined;
export const App = (): ReactElement => <RouterProvider router={router ??= createBrowserRouter([{ path: '*', element: <Root /> }])} />;
