/** What a page is given. */
export interface PageProps {
  /** What follows the page's own part of the path: of `/campaigns/spring/people` it is `['spring', 'people']`. */
  parts: string[];
}
