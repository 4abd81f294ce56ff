// Lists of people who do not exist.

/** Fictional numbers: 100 a North American area code (555-0100 to 0199); more than 20,000 go on with 555-0200. */
export function listOf(count) {
  const rows = ['phone,name,company'];
  for (let i = 0; i < count; i++) {
    rows.push(`${fictional(i)},Person ${i},Example Company ${i % 100}`);
  }
  return `${rows.join('\n')}\n`;
}

/** Area codes in use, 200 of them. */
const AREAS = `
  201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 220 223 224
  225 227 228 229 231 234 235 239 240 248 251 252 253 254 256 260 262 267 269 270
  272 274 276 279 281 283 301 302 303 304 305 307 308 309 310 312 313 314 315 316
  317 318 319 320 321 323 324 325 326 327 329 330 331 332 334 336 337 339 341 346
  347 350 351 352 353 360 361 363 364 369 380 385 386 401 402 404 405 406 407 408
  409 410 412 413 414 415 417 419 423 424 425 430 432 434 435 440 442 443 445 447
  448 458 463 464 469 470 472 475 478 479 480 484 501 502 503 504 505 507 508 509
  510 512 513 515 516 517 518 520 530 531 534 539 540 541 551 557 559 561 562 563
  564 567 570 571 572 573 574 575 580 582 585 586 601 602 603 605 606 607 608 609
  610 612 614 615 616 617 618 619 620 623 626 628 629 630 631 636 640 641 645 646
`
  .trim()
  .split(/\s+/);

function fictional(i) {
  const line = 100 + (i % 100) + 100 * Math.floor(i / (100 * AREAS.length));
  return `+1${AREAS[Math.floor(i / 100) % AREAS.length]}555${String(line).padStart(4, '0')}`;
}
