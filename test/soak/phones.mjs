// Made-up people: in each area code there are a hundred numbers kept for fiction.

const AREAS = (
  '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 ' +
  '253 254 256 260 262 267 269 270 272 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 ' +
  '320 321 323 325 330 331 334 336 337 339 346 347 351 352 360 361 364 380 385 386 401 402 404 405 406 407 408 409'
).split(' ');
export const MOST_PHONES = AREAS.length * 100;

/** @param n which one, from 0 to MOST_PHONES - 1 */
export function phoneOf(n) {
  const last = String(100 + (n % 100)).padStart(4, '0');
  return `+1${AREAS[Math.floor(n / 100)]}555${last}`;
}
