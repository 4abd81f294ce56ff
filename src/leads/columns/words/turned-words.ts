import { foldLetters } from '../../../text/fold-words.ts';
import { isConsent, isOfList, isRevoked } from './refusal-words.ts';

/** Words that turn a refusal that follows them, by language; ` no longer ` is `no` and a filler. */
const NEGATORS = new Set(
  foldedWords(
    'not no non never without isn wasn hasn aren didn nicht kein keine keinen keiner nie ohne ne pas aucun aucune jamais sans ningún ninguna sin não nem sem mai senza nessun nessuna niet geen nooit zonder inte ej inga ingen aldrig utan ikke uden uten aldri ei eivät nie bez brak не нет без ні немає няма není nejsou nem nincs nu fără değil δεν μη μην όχι χωρίς nėra nav mitte pole nije nisu ni brez tidak bukan tanpa không chưa नहीं بدون غير ليس ليست لم لیس نیست غیر نہیں לא אין ללא אינו',
  ),
);
/** Words between a negation and what it turns. */
const FILLERS = new Set(
  foldedWords(
    'a an the on in of from for to as is are was be been being has have had did does do our any our own internal national federal state company currently longer listed registered present found flagged marked yet opted list der die das den dem auf aus von vom im in ist sind wurde mehr als eingetragen gelistet markiert steht le la les l de du des d sur dans est été sur plus inscrit inscrite el los las en del está es ya o a os as no na nos nas do da dos das está mais il lo gli i nella nel della dal dalla al alla allo è più iscritto op het van uit in de is meer på av från den är i fra er ikke på ole listalla on na z ze w jest się liście listy już в на из с со від із є в списке списку в в списъка od ze na je již už nie je rajta van a az nincs în pe din este în λίστα στη στην στο από την τη είναι yra nėra iš sąraše ir no sarakstā on ole nimekirjas u na iz sa je ada dalam di dari sudah trong khỏi में है से على في من القائمة قائمة در از لیست است میں سے ہے ב ברשימת מרשימת ברשימה שחורה',
  ),
);
/** Words for a refusal that has ended, before or after it. */
const LIFTED =
  /^(?:removed|cleared|lifted|released|expired|ended|cancell?ed|rescinded|reversed|reinstated|off|entfernt|geloescht|aufgehoben|abgelaufen|beendet|retire[es]*|leve[es]*|expire[es]*|supprime[es]*|eliminad[oa]s?|retirad[oa]s?|levantad[oa]s?|expirad[oa]s?|quitad[oa]s?|removid[oa]s?|rimoss[oaie]|cancellat[oaie]|scadut[oaie]|verwijderd|opgeheven|verlopen|vervallen|borttagen|havd|upphavd|fjernet|ophaevet|opphevet|udlobet|utlopt|poistettu|kumottu|usuniet[yaoe]|wykreslon[yaoe]|zniesion[yaoe]|удален[аоы]?|исключен[аоы]?|снят[аоы]?|видален[оаі]?|знят[оаі]?|премахнат[аои]?|odstranen[aoy]?|zrusen[aoy]?|torolve|feloldva|eliminat[a]?|sters[a]?|kaldirildi|cikarildi|silindi|αφαιρεθηκε|διαγραφηκε|pasalint[as]*|nonemts?|iznemts?|eemaldatud|tuhistatud|uklonjen[oa]?|skinut[oa]?|odstranjen[oa]?|dihapus|dicabut|dikeluarkan|हटाया|ازيل|הוסר[ה]?)$/;
/** The last word of a statement that denies it: `DNC: clean`. */
const ENDS_CLEAN =
  /^(?:no|false|n|clean|cleared|clear|none|negative|passed|nein|non|nao|nej|nei|nie|net|нет|ні|не|ne|nem|nu|hayir|degil|οχι|nē|tidak|khong|नहीं|لا|خير|نہیں|לא|unbelastet|sauber|negativ)$/;
/** A check of a registry: the word after it is what it found. */
const CHECKED =
  /^(?:scrub|scrubbed|scrubbing|check|checked|verified|washed|gepruft|geprueft|abgleich|verifie|verificado|verificato|gecontroleerd|kontrollerad|kontrolleret|sprawdzon[yao]|проверен[оаы]?)$/;
const NO_SPACES =
  /^(?:不在|非|不是|未|没有|沒有|已移出|移出|解除|已解除|取消|ไม่อยู่ใน|ไม่ได้อยู่ใน|ไม่ได้)|(?:解除|ではない|でない|から削除|解除済み?|해제됨?|아님|아니다|제외됨|移出|已移除)$/;

/**
 * Whether the refusal in a folded text is denied or over: `not on DNC`, `removed from DNC`, `DNC: clean`. A `no` that
 * belongs to the refusal (`do not call`) leaves no refusal when it is taken out, so it turns nothing.
 *
 * @param refuses whether a folded text refuses
 */
export function isTurned(folded: string, refuses: (folded: string) => boolean): boolean {
  const words = folded.split(' ');
  const joined = words.join('');
  if (NO_SPACES.test(joined) && refuses(joined.replace(NO_SPACES, ''))) return true;
  const turnsNext = words.some((word, at) => {
    const isLifted = LIFTED.test(word);
    if (!isLifted && !NEGATORS.has(word)) return false;
    if (refuses(words.slice(0, isLifted ? at + 1 : at).join(' '))) return false;
    const next = words.findIndex((each, n) => n > at && !FILLERS.has(each) && !isOfList(each));
    if (next === -1) return false;
    if (!isLifted && isRevoked(words[next] ?? '') && refuses(words.toSpliced(at, 1).join(' ')))
      return true;
    const isNext = !refuses(words.slice(next + 1).join(' '));
    return isNext && [at + 1, next].some((from) => refuses(words.slice(from).join(' ')));
  });
  if (turnsNext) return true;
  const last = words.findLastIndex((word) => !FILLERS.has(word) || ENDS_CLEAN.test(word));
  const end = words[last] ?? '';
  const isClean =
    ENDS_CLEAN.test(end) ||
    LIFTED.test(end) ||
    (isRevoked(end) && !isConsent(folded)) ||
    (/^ok(?:ay)?$/.test(end) && isCheck(folded));
  return last > 0 && isClean && refuses(words.slice(0, last).join(' '));
}

/** True for a text about a check of a registry: `TPS checked`. */
export function isCheck(folded: string): boolean {
  return folded.split(' ').some((word) => CHECKED.test(word));
}

function foldedWords(list: string): string[] {
  return list.split(' ').map(foldLetters);
}
