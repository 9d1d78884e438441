// Loaded into a process (NODE_OPTIONS=--require): keeps beside the real folder what a disk would still have after a power cut that
// loses everything not flushed. A file is as it was when it was last flushed; names are as they were when their folder was.
const fs = require('node:fs');
const path = require('node:path');

const real = process.env.LOSSY_FOLDER;
const kept = process.env.LOSSY_KEPT;
const { fsyncSync } = fs;
const save = () => fs.writeFileSync(path.join(kept, 'names.json'), JSON.stringify(names));
let names = {};
if (real && kept && fs.existsSync(path.join(kept, 'names.json')))
  names = JSON.parse(fs.readFileSync(path.join(kept, 'names.json'), 'utf8'));

fs.fsyncSync = fd => {
  fsyncSync(fd);
  if (!real) return;
  const file = fs.readlinkSync(`/proc/self/fd/${fd}`);
  if (!file.startsWith(real + path.sep) && file !== real) return;
  const { ino } = fs.fstatSync(fd);
  if (fs.fstatSync(fd).isDirectory()) {
    for (const name of Object.keys(names)) if (path.dirname(name) === file) delete names[name];
    for (const entry of fs.readdirSync(file, { withFileTypes: true })) {
      if (entry.isFile()) names[path.join(file, entry.name)] = fs.statSync(path.join(file, entry.name)).ino;
    }
  } else {
    fs.copyFileSync(file, path.join(kept, String(ino)));
    names[file] = ino;
  }
  save();
};
