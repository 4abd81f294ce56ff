import { foldWords } from '../../../text/fold-words.ts';

/** Cells that say yes, by language; ticks are in `TICKS`. */
const YES =
  'yes|y|yeah|yep|ja|j|oui|si|sí|sì|sim|s|ken|joo|kyllä|jah|tak|да|д|так|ano|áno|igen|da|evet|ναι|taip|jā|ya|iya|có|हाँ|हां|जी हाँ|जी हां|نعم|أجل|بله|بلی|آری|ہاں|جی ہاں|כן|ใช่|はい|有|あり|済|是|是的|예|네|예스|true|t|wahr|vrai|verdadero|verdadeiro|vero|waar|sant|sand|sann|tosi|prawda|истина|правда|pravda|igaz|adevărat|doğru|αληθές|tiesa|patiess|tõene|benar|đúng|真|참|1|1.0|1,0|-1|on|checked|ticked|x1|o';

/** Cells that say no, by language; empty boxes are in `EMPTY_BOXES`. */
const NO =
  'no|n|nope|nein|non|não|nao|nee|nej|nei|ei|nie|нет|н|ні|не|ne|nem|nu|hayır|hayir|όχι|nē|tidak|tak ada|bukan|không|khong|नहीं|जी नहीं|لا|كلا|خیر|نه|نہیں|جی نہیں|לא|ไม่|ไม่ใช่|いいえ|無|なし|未|否|不|不是|没有|沒有|아니오|아니요|노|false|f|falsch|faux|falso|falskt|falsk|onwaar|usann|epätosi|fałsz|ложь|хибність|nepravda|hamis|fals|yanlış|ψευδές|netiesa|aplams|väär|salah|sai|偽|假|거짓|0|0.0|0,0|off|unchecked|unticked';

/** Cells that say that the person may be called, whatever the header says. */
const ALLOWED =
  'allow|allowed|permitted|opted in|opt in|optin|subscribed|resubscribed|callable|ok to call|okay to call|may call|can call|clean|clear|not listed|not registered|not on list|not on dnc|not dnc|not blocked|not suppressed|zulassen|erlaubt|autoriser|autorisé|permitir|permitido|autorizado|consenti|consentire|consentito|autorizzato|toestaan|toegestaan|tillåt|tillåtet|tillåten|tillad|tilladt|tillat|tillatt|sallittu|salli|zezwalaj|dozwolone|разрешить|разрешено|можно|дозволено|дозволити|povolit|povoleno|povoliť|povolené|engedélyezve|engedélyezett|permis|permite|izinli|izin var|επιτρέπεται|leidžiama|atļauts|lubatud|dozvoljeno|dopušteno|dovoljeno|diizinkan|boleh|cho phép|अनुमति है|مسموح|مجاز|اجازت ہے|מותר|อนุญาต|可|許可|可能|可以|允许|允許|허용|가능';

/** Agreement: in a column such as `May call` it allows calls, in one such as `Do not call` it forbids them. */
const AGREED =
  'ok|okay|granted|given|consented|consent given|consent|agreed|accepted|approved|authorized|authorised|confirmed|erteilt|zugestimmt|eingewilligt|accordé|accepté|aceptado|concedido|aceito|accettato|concesso|akkoord|gegeven|godkänd|godkänt|godkendt|godkjent|annettu|hyväksytty|wyrażona|udzielona|согласен|согласна|дано|згоден|згодна|souhlasí|udělen|súhlasí|hozzájárult|acceptat|onaylı|onaylandı|verildi|kabul|sutinka|piekrīt|nõus|setuju|đồng ý|सहमत|موافق|מאושר|ยินยอม|同意|接受|동의|수락';

/** Cells that say that the person must not be called, in a column that says who may be called. */
const REFUSED =
  'do not allow|not allowed|not permitted|disallow|disallowed|denied|refused|declined|withdrawn|revoked|rejected|opted out|opt out|unsubscribed|no consent|not given|not granted|none given|do not call|dnc|dnd|blocked|blacklisted|suppressed|do not contact|nicht zulassen|nicht erlaubt|nicht erteilt|abgelehnt|verweigert|widerrufen|gesperrt|verboten|ne pas autoriser|non autorisé|refusé|retiré|no permitir|no permitido|no autorizado|rechazado|denegado|revocado|não permitir|não permitido|não autorizado|recusado|negado|revogado|non consentire|non consentito|non autorizzato|negato|rifiutato|revocato|niet toestaan|niet toegestaan|geweigerd|ingetrokken|tillåt inte|inte tillåtet|nekad|återkallat|tillad ikke|ikke tilladt|afvist|tillat ikke|ikke tillatt|avslått|kielletty|ei sallittu|evätty|peruttu|nie zezwalaj|zabronione|niewyrażona|brak|odmowa|wycofana|запрещено|запретить|не разрешать|не разрешено|отказ|отозвано|не согласен|не согласна|нельзя|заборонено|відмова|nepovolit|zakázáno|nesouhlasí|nepovoliť|zakázané|nesúhlasí|tiltva|letiltva|nem engedélyezett|visszavonva|nepermis|interzis|refuzat|izinsiz|izin yok|reddedildi|reddetti|engelli|ret|απαγορεύεται|δεν επιτρέπεται|draudžiama|nesutinka|aizliegts|nepiekrīt|keelatud|zabranjeno|odbijeno|prepovedano|dilarang|ditolak|tolak|tidak setuju|tidak boleh|từ chối|không đồng ý|không cho phép|cấm|मना|असहमत|ممنوع|مرفوض|رفض|غير موافق|غیرمجاز|ممنوع|منع|אסור|סירב|לא מאושר|ไม่ยินยอม|ไม่อนุญาต|ห้าม|不可|拒否|禁止|ng|不同意|不可以|拒绝|拒絕|不允许|不允許|거부|거절|불가|금지|차단';

/** Ways to write that a cell has no answer. */
const NOTHING = '|null|nil|n/a|na|none|-|–|—|--|.|unset|not set|undefined|(blank)|0000-00-00|#n/a';

/** Signs instead of words. Some people write `CROSSES` for yes and others for no, so they count as neither. */
const TICKS = '✓|✔|☑|✅|🗹|○|〇|◯|◎';
const EMPTY_BOXES = '☐|□|⬜';
const CROSSES = '✗|✘|❌|☒|✖|×|x';

/** Where a word is in two of these lists, the later list wins. */
const WORDS = { agreed: AGREED, allowed: ALLOWED, refused: REFUSED, yes: YES, no: NO };
const SIGNS = { nothing: NOTHING, yes: TICKS, no: EMPTY_BOXES, cross: CROSSES };

/** What a cell of a yes/no column says; `nothing` includes an empty cell, `other` is any unknown text. */
export type Answer = keyof typeof WORDS | keyof typeof SIGNS | 'other';

const answers = new Map<string, Answer>();

/** Reads a cell of a yes/no column, in any of the supported languages. */
export function readAnswer(cell: string): Answer {
  if (answers.size === 0) fill();
  const text = cell.trim().toLowerCase().replaceAll('\ufe0f', '');
  return answers.get(text) ?? answers.get(`=${foldWords(text)}`) ?? 'other';
}

const isOneOf =
  (...answers: Answer[]) =>
  (cell: string): boolean =>
    answers.includes(readAnswer(cell));

export const saysYes = isOneOf('yes', 'allowed', 'agreed');
export const saysNo = isOneOf('no', 'refused');
/** True for a cell that denies a refusal of calls, or has none. */
export const deniesRefusal = isOneOf('no', 'allowed', 'nothing');
/** True for a cell that says yes or no to something, in whatever words. */
export const isYesOrNo = isOneOf('yes', 'no', 'allowed', 'agreed', 'refused', 'cross');
/** True for a cell without an answer, such as an empty one or `n/a`. */
export const saysNothing = isOneOf('nothing');

function fill(): void {
  for (const [answer, list] of [...Object.entries(WORDS), ...Object.entries(SIGNS)]) {
    for (const word of list.split('|')) answers.set(word, answer as Answer);
  }
  for (const [answer, list] of Object.entries(WORDS)) {
    for (const word of list.split('|').map(foldWords))
      if (word !== '') answers.set(`=${word}`, answer as Answer);
  }
}
