// Loaded into a process (NODE_OPTIONS=--require): while the file FAILING_DISK exists, flushing to disk fails; when it says "full",
// it is writing that fails.
const fs = require('node:fs');

const { fsyncSync, writeSync } = fs;
const full = () =>
  process.env.FAILING_DISK && fs.existsSync(process.env.FAILING_DISK) && fs.readFileSync(process.env.FAILING_DISK, 'utf8') === 'full';
fs.writeSync = (...args) => {
  if (full()) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
  return writeSync(...args);
};
fs.fsyncSync = fd => {
  if (process.env.FAILING_DISK && fs.existsSync(process.env.FAILING_DISK))
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
  fsyncSync(fd);
};
