// Starting a bulk action.
import { Wizard } from '../../src/admin/bulk/wizard.tsx';

export default Wizard;
