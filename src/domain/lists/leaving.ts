/** From a list that was made anew so many leave on a usual day; more of them look like a list that was cut short. */
const USUAL_SHARE = 0.2;

/** True where so many of those who wait would leave that a person is to be asked. */
export function isMany(leaving: number, waiting: number): boolean {
  return leaving > waiting * USUAL_SHARE;
}
