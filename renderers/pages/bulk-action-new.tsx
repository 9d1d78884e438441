// Starting a bulk action.
import { Wizard } from '../../src/admin/features/bulk-actions/wizard.tsx';

export default Wizard;
