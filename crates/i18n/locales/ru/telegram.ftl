## What was handed over
bot-accepted = Принято.
bot-here = Уже здесь.
bot-here-at = Уже здесь ({ $share } %).
bot-here-ended = Уже здесь: { $state }.
bot-in-library = Уже в библиотеке.
bot-hint-taken = Подсказка: { $text }
bot-not-accepted = Не принято:
bot-nothing-found = В этом сообщении нет ни magnet-ссылки, ни хеша, ни файла .torrent. Что можно прислать, расскажет /help.
bot-link-none = Это не magnet-ссылка и не хеш.
bot-link-too-long = Ссылка слишком длинная.
bot-link-broken = Внутри ссылки есть перенос строки. Присылайте по одной ссылке.
bot-link-without-hash = В ссылке нет инфохеша BitTorrent.
bot-link-bad-hash = Инфохеш в ссылке повреждён. Скопируйте ссылку ещё раз и целиком.
bot-link-of-two = В ссылке инфохеши двух раздач. Присылайте по одной раздаче в ссылке.
bot-file-page = Это страница сайта, а не файл .torrent. Войдите на сайт и скачайте файл ещё раз.
bot-file-link = Это текст со ссылкой, а не файл .torrent. Пришлите сам текст.
bot-file-packed = Это архив, а не файл .torrent. Распакуйте его и пришлите то, что внутри.
bot-file-other = Это файл торрент-клиента или трекера, а не файл .torrent.
bot-file-damaged = Это непригодный файл .torrent. Скачайте его ещё раз.
bot-file-not-fetched = Файл не удалось получить от Telegram. Пришлите его ещё раз.
bot-file-too-large = Для файла .torrent этот слишком велик.

## A download
bot-taken-for = Распознано: { $what }
bot-best-guess = Скорее всего: { $what }
bot-fits = { $what }, { $score } %
bot-season = сезон { $n }
bot-id = Номер:
bot-cause = { $source }: { $cause }

## What can be done about it
bot-do-needs-review = Нажмите «Проверить» и укажите, что это.
bot-do-no-metadata = Дождитесь сидера либо откажитесь от загрузки и пришлите файл .torrent или ссылку с большим числом трекеров.
bot-do-metadata-unavailable = Когда источник ответит, всё продолжится само. До тех пор через «Проверить» можно принять то, что следует из имён.
bot-do-stalled = Дождитесь сидера либо откажитесь от загрузки и возьмите другой релиз.
bot-do-client-unknown = Снова добавьте её клиент в конфигурацию.
bot-do-client-error = Исправьте раздачу в клиенте и нажмите «Повторить».
bot-do-client-rejected = Пришлите вместо ссылки файл .torrent или возьмите другой клиент.
bot-do-client-cannot-v2 = Обновите клиент или пришлите ссылку с инфохешем v1.
bot-do-client-missing = «Повторить» добавит её снова. Если её удалили намеренно, оставьте всё как есть.
bot-do-gone-from-client = Ничего, если её не требуется раздавать дальше; иначе пришлите её снова.
bot-do-disk-full = Освободите место и нажмите «Повторить».
bot-do-path-unmapped = Добавьте клиенту в конфигурации path_map и нажмите «Повторить».
bot-do-source-missing = Проверьте, подключён ли диск и не перемещён ли файл, и нажмите «Повторить».
bot-do-source-changed = Запустите в клиенте проверку раздачи и создайте ссылки заново.
bot-do-link-failed = Исправьте то, что названо в подробностях. Когда библиотека придёт в порядок, попытка повторится сама; после других исправлений нажмите «Повторить».
bot-do-conflict = Посмотрите план. То, что мешает, решается на странице или другим распознаванием.
bot-do-archive = Распакуйте архив сами или возьмите неупакованный релиз.
bot-do-unsafe-content = Не открывайте её. Откажитесь от загрузки и возьмите другой релиз.
bot-do-not-media = Ничего, если так и задумано. Иначе проверьте, та ли это ссылка.
bot-do-infohash-owned = Откажитесь от другой загрузки или дождитесь её завершения и нажмите «Повторить».
bot-do-merge-differs = Прочитайте подробности и исправьте то, что должно быть иначе.

## Buttons
bot-button-review = Проверить
bot-button-match = Изменить распознавание
bot-button-accept = Принять: { $what }
bot-button-this = Это оно
bot-button-names = Принять, как следует из имён
bot-button-retry = Повторить
bot-button-undo = Отменить связывание
bot-button-cancel = Отказаться
bot-button-cancel-surely = Да, отказаться
bot-button-no = Нет
bot-button-page = Открыть страницу
bot-button-look = Обновить
bot-button-back = Назад
bot-button-previous = Предыдущее
bot-button-next = Следующее
bot-button-none = Ничего из этого
bot-button-candidates = К вариантам
bot-button-plan = Что произойдёт
bot-button-season = С{ $n }
bot-button-specials = Спецвыпуски
bot-button-apply = { $n ->
        [one] Создать { $n } ссылку
        [few] Создать { $n } ссылки
        [many] Создать { $n } ссылок
       *[other] Создать { $n } ссылки
    }

## Review
bot-place = { $n } из { $all }
bot-doubts = В чём нет уверенности:
bot-say-what = Ответьте на это сообщение названием с годом, номером вроде tmdb:603 или tt0133093 либо адресом страницы на TMDB, TVmaze или IMDb.
bot-or-narrow = Или укажите ниже вид и сезон; распознавание запустится заново само.
bot-no-change = В этом состоянии изменить распознавание нельзя.

## Plan
bot-plan-title = Что произойдёт
bot-plan-empty = Ни одной ссылки создано не будет.
bot-plan-into = Куда:
bot-plan-skipped = Пропущено:
bot-plan-in-the-way = Мешает:
bot-plan-later = Загрузка ещё не завершена. Когда завершится, по принятому распознаванию будут созданы ссылки.
bot-plan-settle = Пока это не решено, ссылки не создаются. Решить можно на странице или другим распознаванием.
bot-and-more = { $n ->
        [one] и ещё { $n }
        [few] и ещё { $n }
        [many] и ещё { $n }
       *[other] и ещё { $n }
    }
bot-undone-links = { $n ->
        [one] Удалена { $n } ссылка. Сама загрузка не тронута.
        [few] Удалены { $n } ссылки. Сама загрузка не тронута.
        [many] Удалено { $n } ссылок. Сама загрузка не тронута.
       *[other] Удалено { $n } ссылки. Сама загрузка не тронута.
    }
bot-cancel-sure = Отказаться от загрузки? То, что уже загружено, останется на месте, и раздача в клиенте тоже.

## Notices
bot-notice-done = В библиотеке
bot-notice-needs-you = Ждёт вас
bot-notice-failed = Ошибка
bot-notice-of = { $n ->
        [one] { $n } событие
        [few] { $n } события
        [many] { $n } событий
       *[other] { $n } события
    }

## Answers to commands
bot-list-empty = Загрузок нет. Пришлите magnet-ссылку, чтобы начать.
bot-active-empty = Ничего не загружается.
bot-search-none = Ничего не найдено: { $text }
bot-search-ask = Напишите, что искать: /search и название, номер вроде tmdb:603 или хеш.
bot-show-ask = Напишите, какую загрузку показать: /show и её номер. Что есть, покажет /list.
bot-not-found = Загрузки с таким номером нет.
bot-health-well = Всё в порядке.
bot-events-title = Последние события
bot-help = Пришлите magnet-ссылку, хеш или файл .torrent; пересланные сообщения тоже подходят. Остальной текст сообщения — подсказка, что это такое.
bot-help-viewer = Вы можете смотреть, но ничего не менять.
bot-command-list = Загрузки: что ждёт вас, что в работе
bot-command-show = Одна загрузка: /show и её номер
bot-command-search = Найти название, загрузку или номер
bot-command-health = Что работает, а что нет
bot-command-events = Последние события
bot-command-lang = Русский или английский: /lang ru, /lang en
bot-command-help = Что можно прислать
bot-lang-ask = Напишите, какой язык: /lang ru или /lang en
bot-lang-set = Теперь я говорю с вами по-русски.

## Answers to presses
bot-changed = Тем временем всё изменилось. Вот как есть сейчас; ничего не сделано.
bot-gone = Этого больше нет.
bot-other-version = Эта кнопка из другой версии. Вот как есть сейчас.
bot-bad-button = Эту кнопку не удалось прочитать.
bot-viewer-refused = Вы можете смотреть, но ничего не менять.
bot-stranger = Этот бот работает только для своего владельца.
bot-did-accept = Принято.
bot-did-say = Записано. Распознавание запущено заново.
bot-did-apply = Создаются ссылки.
bot-did-undo = Связывание отменено.
bot-did-retry = Начата новая попытка.
bot-did-cancel = От загрузки отказались.

## Refusals
bot-refused-request = Запрос нельзя выполнить.
bot-refused-pin = Произведение указано неверно. Напишите tmdb:603, tmdb:tv/1399, tvmaze:82, tt0133093 или адрес страницы.
bot-refused-field = Такого поля нет.
bot-refused-library = Такой библиотеки нет.
bot-refused-client = Такого клиента нет.
bot-refused-not-found = Такого нет.
bot-refused-no-client = Торрент-клиент не настроен.
bot-refused-log-in = Войти не удалось.
bot-refused-not-in-client = В клиенте нет такой раздачи.
bot-refused-owned = Эта раздача есть у другой активной загрузки.
bot-refused-state = В этом состоянии невозможно.
bot-refused-backups = Место резервных копий недоступно.
bot-refused-superseded = Его место заняло более новое. Посмотрите ещё раз.
bot-refused-plan = План уже другой. Посмотрите его ещё раз.
bot-refused-conflict = Место занято.
bot-refused-client-away = Торрент-клиент не отвечает. Принятое продолжится само, когда он вернётся.
bot-refused-disk-full = Диск каталога данных заполнен, поэтому ничего не сделано.
bot-refused-busy = Базу данных занимает другая программа, поэтому ничего не сделано. Попробуйте чуть позже.
bot-refused-fault = Здесь что-то пошло не так. Подробности — в журнале сервера.
