/** A column that decides about calls: its name, what keeps a person from being called, and what does not. */
export interface CallLabel {
  language: string;
  header: string;
  no: string;
  yes: string;
}

/** `header = what is a no = what is a yes`, by language. */
const LABELS: Record<string, string[]> = {
  en: [
    'Do Not Call = Yes = No',
    'DNC = 1 = 0',
    'Lead: Do Not Call = true = false',
    'Person - Do not call = TRUE = FALSE',
    'Do_Not_Call__c = 1 = 0',
    'do_not_call_c = on = off',
    'DoNotCall = Y = N',
    'Do Not Call (Y/N) = Y = N',
    'Do Not Call Flag = X = ',
    'DNC Status = Federal = Clean',
    'Do not allow Phone Calls = Do Not Allow = Allow',
    'donotphone = 1 = 0',
    'phone_blacklisted = True = False',
    "Don't call = ✓ = ",
    'Please do not call = ☑ = ☐',
    'Not to be called = ✔ = no',
    'Phone opt-out = 2024-03-05 = ',
    'Has Opted Out Of Calls = TRUE = FALSE',
    'Unsubscribed = 2024-03-05 10:00 = n/a',
    'Do not contact = yes = no',
    'TPS = Registered = Not registered',
    'x_studio_do_not_call = True = False',
    'Do not email or call = yes = no',
    'Consent to call = No = Yes',
    'Call Permission = Denied = Granted',
    'OK to call? = N = Y',
    'May we call = no = yes',
    'Opt-in calls = Opted out = Opted in',
    'Lead: Consent to Call = FALSE = TRUE',
    'TCPA Consent = withdrawn = given',
    'Calls allowed = 0 = 1',
    'Can be contacted = ☐ = ☑',
  ],
  de: [
    'Nicht anrufen = ja = nein',
    'Keine Telefonanrufe zulassen = Nicht zulassen = Zulassen',
    'Anrufsperre = WAHR = FALSCH',
    'Einwilligung Telefon = nein = ja',
    'Anruf erlaubt = abgelehnt = erteilt',
  ],
  fr: [
    'Ne pas appeler = oui = non',
    'Ne pas autoriser les appels téléphoniques = Ne pas autoriser = Autoriser',
    'Opposition appels = VRAI = FAUX',
    'Consentement appel = non = oui',
    'Peut-on appeler ? = refusé = accepté',
  ],
  es: [
    'No llamar = sí = no',
    'No permitir llamadas telefónicas = No permitir = Permitir',
    'Acepta llamadas = no = si',
    'Lista Robinson = VERDADERO = FALSO',
  ],
  pt: ['Não ligar = sim = não', 'Não perturbe = S = N', 'Consentimento para ligar = não = sim'],
  it: [
    'Non chiamare = sì = no',
    'Registro pubblico delle opposizioni = VERO = FALSO',
    'Consenso telefonico = negato = concesso',
  ],
  nl: ['Niet bellen = ja = nee', 'Mag gebeld worden = nee = ja', 'Bel-me-niet = WAAR = ONWAAR'],
  sv: ['Ring ej = ja = nej', 'Samtycke samtal = nej = ja'],
  da: ['Må ikke ringes op = ja = nej', 'Samtykke til opkald = nej = ja'],
  nb: ['Ikke ring = ja = nei', 'Reservert mot telefonsalg = SANN = USANN', 'Kan ringes = nei = ja'],
  fi: ['Älä soita = kyllä = ei', 'Soittokielto = TOSI = EPÄTOSI', 'Lupa soittaa = ei = kyllä'],
  pl: ['Nie dzwonić = tak = nie', 'Zgoda na telefon = brak = tak'],
  ru: [
    'Не звонить = да = нет',
    'Запрет звонков = ИСТИНА = ЛОЖЬ',
    'Согласие на звонок = отказ = да',
  ],
  uk: ['Не дзвонити = так = ні', 'Згода на дзвінки = ні = так'],
  cs: ['Nevolat = ano = ne', 'Souhlas s voláním = ne = ano'],
  sk: ['Nevolať = áno = nie', 'Súhlas s telefonovaním = nie = áno'],
  hu: ['Nem hívható = igen = nem', 'Hozzájárul a híváshoz = nem = igen'],
  ro: ['Nu sunați = da = nu', 'Acord apel = nu = da'],
  bg: ['Не се обаждайте = да = не'],
  tr: ['Aramayın = evet = hayır', 'Arama izni = hayır = evet', 'Aranmasın = DOĞRU = YANLIŞ'],
  el: ['Μην καλείτε = ναι = όχι', 'Συγκατάθεση για κλήση = ΟΧΙ = ΝΑΙ'],
  lt: ['Neskambinti = taip = ne', 'Sutikimas skambinti = ne = taip'],
  lv: ['Nezvanīt = jā = nē', 'Piekrišana zvaniem = nē = jā'],
  et: ['Mitte helistada = jah = ei', 'Lubatud helistada = ei = jah'],
  hr: ['Ne zvati = da = ne', 'Suglasnost za poziv = ne = da'],
  id: ['Jangan hubungi = ya = tidak', 'Izin telepon = tidak = ya'],
  vi: ['Không gọi = có = không', 'Đồng ý gọi = không = có', 'Khong duoc goi = có = không'],
  hi: ['कॉल न करें = हाँ = नहीं', 'कॉल की अनुमति = नहीं = हाँ'],
  ar: ['عدم الاتصال = نعم = لا', 'الموافقة على الاتصال = لا = نعم'],
  fa: ['تماس نگیرید = بله = خیر', 'اجازه تماس = خیر = بله'],
  ur: ['کال نہ کریں = ہاں = نہیں', 'کال کی اجازت = نہیں = جی ہاں'],
  he: ['לא להתקשר = כן = לא', 'אישור להתקשר = לא = כן'],
  th: ['ห้ามโทร = ใช่ = ไม่', 'ยินยอมให้โทร = ไม่ยินยอม = ยินยอม'],
  ja: [
    '架電禁止 = はい = いいえ',
    '電話NG = ○ = ',
    '架電可否 = 不可 = 可',
    '電話連絡同意 = 拒否 = 同意',
  ],
  zh: ['请勿致电 = 是 = 否', '黑名单 = 是 = 否', '允许致电 = 不允许 = 允许', '請勿來電 = 是 = 否'],
  ko: ['전화 금지 = 예 = 아니오', '전화수신거부 = Y = N', '전화동의 = 거부 = 동의'],
};

export const CALL_LABELS: CallLabel[] = Object.entries(LABELS).flatMap(([language, labels]) =>
  labels.map((label) => {
    const [header = '', no = '', yes = ''] = label.split('=').map((part) => part.trim());
    return { language, header, no, yes };
  }),
);

/** Cells of a column of states by which nobody is called, and others beside them. */
export const STATES: readonly [header: string, no: string, yes: string][] = [
  ['Status', 'DNC', 'New'],
  ['Lead Status', 'Unsubscribed', 'Open - Not Contacted'],
  ['Contact status', 'Opted out', 'No contact'],
  ['Lifecycle Stage', 'Do not contact', 'Customer'],
  ['Tags', 'vip; DNC', 'vip; spring'],
  ['status', 'DNCL', 'NEW'],
  ['Disposition', 'Do Not Call', 'No Answer'],
  ['Kontaktstatus Tags', 'nicht anrufen', 'noch nicht angerufen'],
  ['Statut', 'ne pas appeler', 'à rappeler'],
  ['Estado', 'no llamar', 'Madrid'],
  ['Статус', 'не звонить', 'новый'],
  ['ステータス', '架電禁止', '未対応'],
  ['状态', '黑名单', '新客户'],
];

/** Names that hold one of the words and say nothing of who may be called, each with what stands below it. */
export const ORDINARY: readonly [header: string, cell: string][] = [
  ['Call notes', 'yes'],
  ['Last call date', '2024-03-05'],
  ['Contact owner', 'Ann'],
  ['Phone type', 'Mobile'],
  ['Preferred contact method', 'Phone'],
  ['Number of calls', '3'],
  ['No. of calls', '2'],
  ['Nº de llamadas', '1'],
  ['Called', 'yes'],
  ['Contacted', 'no'],
  ['Not contacted yet', 'yes'],
  ['Not called', 'yes'],
  ['Last contacted', '2024-03-05'],
  ['Call duration', '62'],
  ['Best time to call', '18:00'],
  ['Do not call before', '09:00'],
  ['Next call', '2024-03-05'],
  ['Callback requested', 'yes'],
  ['Not interested', 'no'],
  ['No show', 'yes'],
  ['No answer', 'yes'],
  ['Phone verified', 'no'],
  ['Caller ID', '12'],
  ['Call recording consent', 'no'],
  ['Opt-out link', 'https://example.com/out'],
  ['Contact type', 'Lead'],
  ['Contact person', 'Ann'],
  ['Call campaign', 'spring'],
  ['Contract', 'no'],
  ['Nicht erreicht', 'ja'],
  ['Noch nicht kontaktiert', 'ja'],
  ['Rückruf erwünscht', 'nein'],
  ['Letzter Anruf', '05.03.2024'],
  ["Nombre d'appels", '4'],
  ['Dernier appel', '05/03/2024'],
  ['Última llamada', '05/03/2024'],
  ['Ej kontaktad', 'ja'],
  ['Ei vastattu', 'kyllä'],
  ['Последний звонок', '05.03.2024'],
  ['Không gọi được', 'có'],
  ['最終架電日', '2024-03-05'],
  ['通话记录', '无'],
  ['통화 횟수', '3'],
  ['Son arama', '05.03.2024'],
];

/** Opt-outs of what is no call. */
export const OTHER_WAYS: readonly [header: string, cell: string][] = [
  ['Email opt out', 'yes'],
  ['HasOptedOutOfEmail', 'TRUE'],
  ['HasOptedOutOfFax', 'TRUE'],
  ['SMS Opt Out', 'yes'],
  ['Do Not Text', 'yes'],
  ['Do not mail', 'yes'],
  ['Do not contact by e-mail', 'yes'],
  ['Do not allow Emails', 'Do Not Allow'],
  ['Do not allow Bulk Emails', 'Do Not Allow'],
  ['Do not allow Faxes', 'Do Not Allow'],
  ['Do not allow Mails', 'Do Not Allow'],
  ['Unsubscribed from newsletter', 'yes'],
  ['Accepts Email Marketing', 'no'],
  ['Accepts SMS Marketing', 'no'],
  ['SMS consent', 'no'],
  ['WhatsApp opt out', 'yes'],
  ['Email Status', 'Unsubscribed'],
  ['Keine E-Mails', 'ja'],
  ['Kein Newsletter', 'ja'],
  ['Ne pas envoyer de courrier', 'oui'],
  ['No enviar correo', 'sí'],
  ['Отказ от рассылки', 'да'],
  ['メール配信停止', 'はい'],
  ['短信退订', '是'],
  ['문자수신거부', 'Y'],
];

/** Columns of numbers that are somebody else's, nobody's any more, or no telephone's. */
export const NOT_THEIRS = [
  'Agent Phone|Referrer Phone|Referred by phone|Spouse Mobile|Partner Phone|Emergency Contact Phone|Next of Kin Phone',
  'Attorney Phone|Lawyer Mobile|Assistant Phone|Asst. Phone|Parent Phone|Guardian Mobile|Employer Phone|Former Phone',
  'Old Mobile|Previous Phone Number|Invalid Phone|Wrong Phone|Bad Phone|Phone (disconnected)|mobile_old|Home Fax|Fax Phone',
  'Person - Phone - Assistant|Contact: Asst. Phone|Emergency Phone 1|DNC Phone|Blacklisted Phone',
  'Alte Telefonnummer|Telefon Ehepartner|Notfallkontakt Telefon|Telefon Anwalt|Ungültige Telefonnummer',
  'Ancien téléphone|Téléphone conjoint|Téléphone avocat|Teléfono anterior|Teléfono del cónyuge|Teléfono de emergencia',
  'Telefone do cônjuge|Telefone antigo|Vecchio telefono|Telefono coniuge|Oud telefoonnummer|Telefoon noodgeval',
  'Gammalt telefonnummer|Telefon anhörig|Pårørende telefon|Tidligere telefon|Vanha puhelin|Puolison puhelin',
  'Stary telefon|Telefon współmałżonka|Старый телефон|Телефон супруга|Телефон дружини|Starý telefon|Telefon manželky',
  'Telefón rodiča|Régi telefonszám|Telefon soție|Eski telefon|Eşinin telefonu|Παλιό τηλέφωνο|Τηλέφωνο συζύγου',
  'Senas telefonas|Sutuoktinio telefonas|Vecais tālrunis|Laulātā tālrunis|Telepon darurat|Telepon lama',
  'Điện thoại khẩn cấp|Số điện thoại cũ|पति का फोन|पुराना मोबाइल|هاتف الطوارئ|الهاتف القديم|تلفن همسر|تلفن قدیمی',
  'شوہر کا فون|טלפון חירום|טלפון ישן|เบอร์โทรฉุกเฉิน|เบอร์โทรเก่า|緊急連絡先電話番号|旧電話番号|FAX番号',
  '紧急联系电话|配偶手机|旧手机号|传真|비상연락 전화번호|배우자 휴대폰|이전 전화번호|팩스',
].flatMap((line) => line.split('|'));

/** A person's own mobile, in the languages of the lists. */
export const MOBILES =
  'Mobile|Handynummer|Mobiltelefon|Portable|Móvil|Celular|Telemóvel|Cellulare|Mobiel|Mobilnummer|Matkapuhelin|Telefon komórkowy|Мобильный телефон|Мобільний телефон|Mobilní telefon|Mobilné číslo|Mobiltelefonszám|Telefon mobil|Cep Telefonu|Κινητό τηλέφωνο|Mobilus telefonas|Mobilais tālrunis|Mobiiltelefon|Mobitel|No HP|Nomor Ponsel|Điện thoại di động|मोबाइल नंबर|رقم الجوال|الهاتف المحمول|تلفن همراه|موبائل نمبر|טלפון נייד|เบอร์มือถือ|携帯電話番号|手机|手機號碼|휴대폰번호'.split(
    '|',
  );

/** Any telephone. */
export const PHONES =
  'Telefon|Téléphone|Teléfono|Telefone do cliente|Telefono|Telefoon|Puhelinnumero|Numer telefonu|Номер телефона|Номер телефону|Telefonní číslo|Telefónne číslo|Telefonszám|Număr de telefon|Telefon Numarası|Τηλέφωνο|Αριθμός τηλεφώνου|Telefonas|Telefono numeris|Tālrunis|Telefona numurs|Telefoninumber|Broj telefona|Nomor Telepon|Số điện thoại|SĐT|फोन नंबर|رقم الهاتف|شماره تلفن|شماره تماس|فون نمبر|מספר טלפון|เบอร์โทรศัพท์|หมายเลขโทรศัพท์|電話番号|联系电话|전화번호|연락처'.split(
    '|',
  );
