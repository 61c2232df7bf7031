/** A number as English writes it: `10,000`. By hand, since the runtime takes milliseconds to get its own rules ready. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
