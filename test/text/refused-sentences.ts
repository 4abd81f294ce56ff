/** Sentences of people who want no more calls, and sentences with the same words who want nothing of the kind. */
export const SAID: Record<string, { refuse: string[]; harmless: string[] }> = {
  en: {
    refuse: [
      'Please STOP CALLING this house!',
      'Don’t call me anymore.',
      'I want to opt-out.',
      'Take me off your list',
      'Please remove my number from your database',
      'Lose my number.',
      'I don’t want you to call me again',
      'I do not want any more calls from you.',
      'Never call here again!',
      'Just leave me alone',
      'I hereby withdraw my consent',
      'put me on your do not call list',
    ],
    harmless: [
      'I don’t know who is calling.',
      'Don’t forget to call me tomorrow',
      'No, call me tomorrow.',
      'Do not hesitate to contact me',
      'I don’t have my phone with me',
      'Nobody has called so far',
      'I am not interested',
    ],
  },
  de: {
    refuse: [
      'Rufen Sie mich nicht mehr an!',
      'Ich möchte nicht mehr angerufen werden.',
      'Bitte löschen Sie meine Nummer.',
      'Lassen Sie mich endlich in Ruhe',
      'Ich will keine Werbeanrufe',
    ],
    harmless: [
      'Ich hab nix dagegen',
      'Rufen Sie mich morgen an',
      'Ich kann jetzt nicht telefonieren',
    ],
  },
  fr: {
    refuse: [
      'Je refuse ce démarchage.',
      'Ne m’appelez plus',
      'Arrêtez de m’appeler !',
      'Je ne veux plus être appelé',
      'Retirez-moi de votre liste',
    ],
    harmless: ['Appelez-moi demain', 'Je ne peux pas parler', 'Plus tard, rappelez-moi'],
  },
  es: {
    refuse: [
      'No me llame más, por favor',
      'No vuelvan a llamarme',
      'Déjenme en paz',
      'Quiero que me den de baja, bórrenme de la lista',
    ],
    harmless: ['No, llámeme mañana', 'No puedo hablar', 'No, llame usted mañana'],
  },
  pt: {
    refuse: [
      'Não me ligue mais',
      'Parem de me ligar',
      'Não quero mais ligações',
      'Tirem meu número da lista',
    ],
    harmless: ['Ligue amanhã', 'Não posso falar agora', 'Não, ligue à tarde'],
  },
  it: {
    refuse: ['Non mi chiami più', 'Non chiamatemi', 'Basta telefonate', 'Cancelli il mio numero'],
    harmless: ['Mi chiami domani', 'Non posso parlare', 'No, telefonate domani'],
  },
  nl: {
    refuse: [
      'Bel me niet meer',
      'Ik wil niet meer gebeld worden',
      'Laat me met rust',
      'Haal mij van de lijst',
    ],
    harmless: ['Bel me morgen', 'Ik kan nu niet praten', 'Nee, belt u later'],
  },
  sv: {
    refuse: [
      'Ring mig inte igen',
      'Sluta ringa mig',
      'Jag vill inte bli uppringd',
      'Ring aldrig hit mer',
    ],
    harmless: ['Ring mig imorgon', 'Jag kan inte prata nu'],
  },
  da: {
    refuse: ['Ring ikke til mig mere', 'Jeg ønsker ikke at blive ringet op', 'Slet mit nummer'],
    harmless: ['Ring i morgen', 'Jeg kan ikke tale nu'],
  },
  nb: {
    refuse: [
      'Ikke ring meg igjen',
      'Slutt å ringe',
      'Jeg vil ikke bli oppringt',
      'Ring meg aldri mer',
    ],
    harmless: ['Ring meg i morgen', 'Jeg kan ikke snakke nå'],
  },
  fi: {
    refuse: ['Älkää soittako enää', 'Älä soita tänne', 'En halua puheluita', 'Poistakaa numeroni'],
    harmless: ['Soita huomenna', 'En voi puhua nyt'],
  },
  pl: {
    refuse: [
      'Proszę do mnie nie dzwonić',
      'Nie dzwońcie więcej',
      'Proszę usunąć mój numer',
      'Nie życzę sobie telefonów',
    ],
    harmless: ['Proszę zadzwonić jutro', 'Nie mogę rozmawiać'],
  },
  ru: {
    refuse: [
      'Не звоните мне больше',
      'Перестаньте звонить',
      'Удалите мой номер',
      'Я не хочу ваших звонков',
    ],
    harmless: ['Позвоните завтра', 'Я не могу говорить', 'Мне никто не звонил'],
  },
  uk: {
    refuse: ['Не дзвоніть мені більше', 'Припиніть дзвонити', 'Видаліть мій номер'],
    harmless: ['Подзвоніть завтра', 'Я не можу говорити'],
  },
  bg: {
    refuse: ['Не ми звънете повече', 'Не се обаждайте повече', 'Изтрийте номера ми'],
    harmless: ['Обадете се утре', 'Не мога да говоря'],
  },
  cs: {
    refuse: [
      'Nevolejte mi už',
      'Nepřeji si další hovory',
      'Vymažte moje číslo',
      'Přestaňte mi volat',
    ],
    harmless: ['Zavolejte zítra', 'Nemůžu teď mluvit'],
  },
  sk: {
    refuse: [
      'Nevolajte mi viac',
      'Neželám si ďalšie hovory',
      'Prestaňte mi volať',
      'Vymažte moje číslo',
    ],
    harmless: ['Zavolajte zajtra', 'Nemôžem teraz hovoriť'],
  },
  hu: {
    refuse: [
      'Ne hívjanak többet',
      'Nem kérek több hívást',
      'Hagyjanak békén',
      'Töröljék a számomat',
    ],
    harmless: ['Hívjon holnap', 'Most nem tudok beszélni'],
  },
  ro: {
    refuse: ['Nu mă mai sunați', 'Nu mai sunați aici', 'Nu vreau apeluri', 'Ștergeți numărul meu'],
    harmless: ['Sunați mâine', 'Nu pot vorbi acum'],
  },
  tr: {
    refuse: [
      'Beni bir daha aramayın',
      'Aranmak istemiyorum',
      'Beni rahat bırakın',
      'Numaramı silin',
    ],
    harmless: ['Yarın arayın', 'Şimdi konuşamam', 'Arama için teşekkürler'],
  },
  el: {
    refuse: [
      'Μη με ξανακαλέσετε',
      'Μην ξαναπάρετε',
      'Δεν θέλω να με καλείτε',
      'Διαγράψτε τον αριθμό μου',
    ],
    harmless: ['Καλέστε αύριο', 'Δεν μπορώ να μιλήσω'],
  },
  lt: {
    refuse: ['Neskambinkite man daugiau', 'Nenoriu jūsų skambučių', 'Ištrinkite mano numerį'],
    harmless: ['Skambinkite rytoj', 'Negaliu kalbėti'],
  },
  lv: {
    refuse: ['Nezvaniet man vairs', 'Es nevēlos zvanus', 'Izdzēsiet manu numuru'],
    harmless: ['Zvaniet rīt', 'Nevaru runāt'],
  },
  et: {
    refuse: ['Ärge helistage mulle enam', 'Ma ei soovi kõnesid', 'Kustutage minu number'],
    harmless: ['Helistage homme', 'Ma ei saa rääkida'],
  },
  hr: {
    refuse: ['Nemojte me više zvati', 'Ne zovite više', 'Obrišite moj broj', 'Ne kličite me več'],
    harmless: ['Nazovite sutra', 'Ne mogu govoriti'],
  },
  id: {
    refuse: ['Jangan telepon saya lagi', 'Saya tidak mau ditelepon', 'Hapus nomor saya'],
    harmless: ['Telepon saya besok', 'Saya tidak bisa bicara'],
  },
  vi: {
    refuse: ['Đừng gọi cho tôi nữa', 'Tôi không muốn nhận cuộc gọi', 'Xóa số của tôi'],
    harmless: ['Gọi cho tôi ngày mai', 'Đúng rồi, gọi lại sau', 'Tôi không nghe rõ'],
  },
  hi: {
    refuse: ['मुझे दोबारा फोन मत करना', 'कॉल मत कीजिए', 'मेरा नंबर हटा दीजिए'],
    harmless: ['कल फोन कीजिए', 'मैं अभी बात नहीं कर सकता'],
  },
  ar: {
    refuse: ['لا تتصل بي مرة أخرى', 'لا أريد مكالمات', 'احذف رقمي من القائمة', 'توقفوا عن الاتصال'],
    harmless: ['اتصل غدا', 'لا أستطيع الكلام الآن'],
  },
  fa: {
    refuse: ['دیگر با من تماس نگیرید', 'زنگ نزنید', 'شماره من را حذف کنید'],
    harmless: ['فردا تماس بگیرید', 'الان نمی‌توانم صحبت کنم'],
  },
  ur: {
    refuse: ['مجھے دوبارہ کال نہ کریں', 'فون مت کرو', 'میرا نمبر ہٹا دیں'],
    harmless: ['کل کال کریں', 'میں ابھی بات نہیں کر سکتا'],
  },
  he: {
    refuse: [
      'אל תתקשרו אליי יותר',
      'תפסיקו להתקשר',
      'תמחקו את המספר שלי',
      'אני לא מעוניין בשיחות, לא רוצה שתתקשרו',
    ],
    harmless: ['תתקשרו מחר', 'אני לא יכול לדבר עכשיו', 'לא יכולתי להתקשר'],
  },
  th: {
    refuse: ['อย่าโทรมาอีก', 'กรุณาลบเบอร์ของฉัน', 'หยุดโทรได้แล้ว'],
    harmless: ['โทรมาใหม่พรุ่งนี้', 'ตอนนี้ไม่สะดวก'],
  },
  ja: {
    refuse: ['もう電話しないでください', '二度とかけてこないで', 'リストから削除してください'],
    harmless: ['明日電話してください', '今は話せません'],
  },
  zh: {
    refuse: ['请不要再打电话给我', '别再打了', '請不要再打電話給我', '把我的号码删掉'],
    harmless: ['明天打给我', '我现在不方便', '請明天再打'],
  },
  ko: {
    refuse: ['다시는 전화하지 마세요', '전화 그만 하세요', '제 번호 삭제해 주세요'],
    harmless: ['내일 전화 주세요', '지금은 통화가 어렵습니다'],
  },
};
