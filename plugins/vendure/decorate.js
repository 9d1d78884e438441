'use strict';

/** As the decorators of TypeScript do it. `types`: of the parameters. */
function decorate(target, name, decorators, types, parameters) {
  const method = target.prototype;
  const descriptor = Object.getOwnPropertyDescriptor(method, name);
  Reflect.defineMetadata('design:paramtypes', types, method, name);
  for (const one of decorators) one(method, name, descriptor);
  Object.defineProperty(method, name, descriptor);
  parameters.forEach((one, index) => one(method, name, index));
}

module.exports = { decorate };
