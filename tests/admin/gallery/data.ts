// A small store for the gallery's pickers: customers, products with variants, collections.
import { looksOf } from '../../../src/admin/form/fields/services.ts';
import type { FormServices } from '../../../src/admin/form/fields/widget.ts';
import type { JsonObject } from '../../../src/contract/types.ts';

const first = ['Anna', 'Bruno', 'Clara', 'David', 'Elif', 'Farah', 'Goran', 'Hana'];
const last = ['Berg', 'Costa', 'Dupont', 'Evans', 'Fischer', 'Garcia', 'Hughes', 'Ito'];
const customers: JsonObject[] = Array.from({ length: 64 }, (_, i) => ({
  id: i + 1,
  name: `${first[i % 8]} ${last[(i >> 3) % 8]}`,
  email: `${first[i % 8]!.toLowerCase()}.${last[(i >> 3) % 8]!.toLowerCase()}@mail.example`,
}));
const names = [
  'Ethiopia Yirgacheffe',
  'Brazil Cerrado',
  'House espresso',
  'Decaf Colombia',
  'Kenya Nyeri',
  'Cold brew blend',
  'Matcha',
  'Earl Grey',
  'Gift card',
];
const products: JsonObject[] = names.map((title, i) => ({
  id: i + 1,
  title,
  image: '/picture.svg',
  isGiftCard: title === 'Gift card',
  minPrice: `${9 + i}.00`,
  maxPrice: `${29 + i}.00`,
  variantsCount: 3,
  variants: ['250 g', '500 g', '1 kg'].map((size, k) => ({
    id: (i + 1) * 10 + k + 1,
    title: size,
    productTitle: title,
    sku: `SKU-${i + 1}${k}`,
    price: `${9 + i + k * 10}.00`,
    image: '/picture.svg',
  })),
}));
const collections: JsonObject[] = ['Single origin', 'Espresso', 'Tea', 'Equipment'].map((title, i) => ({
  id: i + 1,
  title,
  image: '/picture.svg',
  productsCount: 4 + i,
}));
const tables: Record<string, JsonObject[]> = {
  customer: customers,
  product: products,
  collection: collections,
  variant: products.flatMap(product => product.variants as JsonObject[]),
};

const looks = {
  customer: { name: { one: 'customer', many: 'customers' }, key: 'id', label: '{name}' },
  product: { name: { one: 'product', many: 'products' }, key: 'id', label: '{title}', image: 'image' },
  collection: { name: { one: 'collection', many: 'collections' }, key: 'id', label: '{title}', image: 'image' },
  variant: { name: { one: 'variant', many: 'variants' }, key: 'id', label: '{productTitle} {title}', image: 'image' },
};
const pause = () =>
  new Promise(resolve => {
    setTimeout(resolve, 20);
  });

export const services: FormServices = {
  async find(of, { q = '', page = 1, pageSize = 25 }) {
    await pause();
    const found = (tables[of] ?? []).filter(item => JSON.stringify(item).toLowerCase().includes(q.toLowerCase()));
    return { items: found.slice((page - 1) * pageSize, page * pageSize), hasMore: found.length > page * pageSize };
  },
  async many(of, ids) {
    await pause();
    return (tables[of] ?? []).filter(item => ids.includes(item.id!));
  },
  ask: async call => (call === 'conditions.count' ? { count: 1240, isAbout: true, total: 5000 } : []),
  looks: of => looksOf(of, looks[of as keyof typeof looks]),
  async upload(file, progress) {
    progress(0.5);
    await pause();
    if (file.name.startsWith('broken')) throw new Error('The file is not an image.');
    return { url: '/picture.svg' };
  },
};
