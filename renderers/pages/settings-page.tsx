// The page of one settings file.
import { SettingPage } from '../../src/admin/form/page/setting-page.tsx';

export default function SettingsPage({ params }: { params: Record<string, string> }) {
  return <SettingPage name={params.setting ?? ''} />;
}
