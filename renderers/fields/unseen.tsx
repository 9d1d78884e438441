// A field that travels with the others and is never drawn.
export default function Unseen() {
  return null;
}
