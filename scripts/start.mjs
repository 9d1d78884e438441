// `npm start`: installs and builds what is missing, then runs the product. The same command on a fresh machine and every day after.
import { spawn } from 'node:child_process';
import { ensureBuild, ensurePackages, root } from './ensure.mjs';

ensurePackages();
ensureBuild();
const server = spawn(process.execPath, ['dist/server/main.js', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
// The server closes cleanly by itself on either signal; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', code => process.exit(code ?? 1));
