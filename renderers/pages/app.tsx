// The page of another app of the store.
import { AppPage } from '../../src/admin/features/apps/app-page.tsx';

export default AppPage;
