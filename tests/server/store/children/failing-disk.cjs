// Loaded into a process (NODE_OPTIONS=--require): while the file FAILING_DISK exists, flushing to disk fails.
const fs = require('node:fs');

const { fsyncSync } = fs;
fs.fsyncSync = (fd) => {
  if (process.env.FAILING_DISK && fs.existsSync(process.env.FAILING_DISK)) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
  fsyncSync(fd);
};
